import { type ComponentChildren, createContext, type RefObject } from "preact";
import { useContext, useRef, useState } from "preact/hooks";

interface FormProps {
  class?: string;
  element?: RefObject<HTMLFormElement | null>;
  /** While a promise that it returns is pending, nothing else is sent. */
  onSubmit(): unknown;
  children: ComponentChildren;
}

const Busy = createContext(false);

/** A form with a `Submit`. However it is sent (a click, Enter in a single-line field), it is sent once at a time. */
export function Form({ class: name = "", element, onSubmit, children }: FormProps) {
  const isSending = useRef(false);
  const [isBusy, setBusy] = useState(false);
  const change = (is: boolean) => {
    isSending.current = is;
    setBusy(is);
  };
  const send = async () => {
    if (isSending.current) return;
    change(true);
    try {
      await onSubmit();
    } finally {
      change(false);
    }
  };
  return (
    <form
      class={name}
      {...(element ? { ref: element } : {})}
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <Busy.Provider value={isBusy}>{children}</Busy.Provider>
    </form>
  );
}

/** The button that sends the form around it. */
export function Submit({ children }: { children: ComponentChildren }) {
  const isBusy = useContext(Busy);
  return (
    <button type="submit" class="button primary" aria-disabled={isBusy} aria-busy={isBusy}>
      {children}
    </button>
  );
}

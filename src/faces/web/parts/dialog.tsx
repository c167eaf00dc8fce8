import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import { Button } from "./button.tsx";

interface DialogProps {
  title: string;
  children: ComponentChildren;
  onClose(): void;
}

/** A modal window. The browser keeps the focus inside, and returns it when it closes. */
export function Dialog({ title, children, onClose }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  const heading = useId();
  useEffect(() => {
    const dialog = element.current;
    const before = document.activeElement;
    dialog?.showModal();
    return () => {
      dialog?.close();
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={element}
      class="dialog"
      aria-labelledby={heading}
      onCancel={(event: Event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <h2 id={heading}>{title}</h2>
      {children}
    </dialog>
  );
}

/** `danger`: it stops or removes something. */
export type ConfirmKind = "primary" | "danger";

interface ConfirmProps {
  title: string;
  children: ComponentChildren;
  /** What the button does, as a verb: `Cancel the task`. */
  action: string;
  kind: ConfirmKind;
  onConfirm(): unknown;
  onClose(): void;
}

/** Asks before something that cannot be taken back. */
export function Confirm({ title, children, action, kind, onConfirm, onClose }: ConfirmProps) {
  const confirm = async () => {
    await onConfirm();
    onClose();
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <div class="dialog-text">{children}</div>
      <div class="dialog-buttons">
        <Button onClick={onClose}>Back</Button>
        <Button kind={kind} onClick={confirm}>
          {action}
        </Button>
      </div>
    </Dialog>
  );
}

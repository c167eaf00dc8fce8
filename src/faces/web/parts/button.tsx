import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";

interface ButtonProps {
  children: ComponentChildren;
  /** While a promise that it returns is pending, the button is busy. */
  onClick(): unknown;
  kind?: "plain" | "primary" | "danger" | "quiet";
  label?: string;
}

export function Button({ children, onClick, kind = "plain", label }: ButtonProps) {
  const [isBusy, setBusy] = useState(false);
  const click = async () => {
    if (isBusy) return;
    setBusy(true);
    try {
      await onClick();
    } finally {
      setBusy(false);
    }
  };
  return (
    <button
      type="button"
      class={`button ${kind}`}
      // A disabled button loses the focus, and what it opens could not return it.
      aria-disabled={isBusy}
      aria-busy={isBusy}
      {...(label ? { "aria-label": label, title: label } : {})}
      onClick={() => void click()}
    >
      {children}
    </button>
  );
}

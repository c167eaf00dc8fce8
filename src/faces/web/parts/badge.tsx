import type { ComponentChildren } from "preact";
import type { Tone } from "../../../core/view/tones.ts";

/** A short text with the colour of its tone. */
export function Badge({ tone, children, title }: { tone: Tone; children: ComponentChildren; title?: string }) {
  return (
    <span class={`badge tone-${tone}`} {...(title ? { title } : {})}>
      {children}
    </span>
  );
}

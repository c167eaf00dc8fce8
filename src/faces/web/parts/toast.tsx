import { signal } from "@preact/signals";
import type { Tone } from "../../../core/view/tones.ts";
import type { Answer, Failure } from "../api.ts";

interface Message {
  id: number;
  tone: Tone;
  text: string;
  hint: string;
}

const messages = signal<readonly Message[]>([]);
let last = 0;
const SHOWN_MS = 8_000;

/** Shows a message in the corner for a few seconds; screen readers announce it. */
export function notice(text: string, { tone = "plain", hint = "" }: { tone?: Tone; hint?: string } = {}): void {
  const id = ++last;
  messages.value = [...messages.value.slice(-2), { id, tone, text, hint }];
  setTimeout(() => dismiss(id), SHOWN_MS);
}

const dismiss = (id: number): void => {
  messages.value = messages.value.filter((message) => message.id !== id);
};

/** Reports how a request ended, and returns whether it succeeded. */
export function reported(answer: Answer<unknown>, done: string): boolean {
  if (answer.ok) notice(done, { tone: "good" });
  else reportFailure(answer);
  return answer.ok;
}

export const reportFailure = ({ message, hint }: Failure): void => notice(message, { tone: "bad", hint });

export function Toasts() {
  return (
    <div class="toasts" aria-live="polite">
      {messages.value.map(({ id, tone, text, hint }) => (
        <div key={id} class={`toast edge-${tone}`}>
          <p>
            {text}
            {hint && <span class="soft"> {hint}</span>}
          </p>
          <button type="button" class="icon-button" aria-label="Dismiss" onClick={() => dismiss(id)}>
            ×
          </button>
        </div>
      ))}
    </div>
  );
}

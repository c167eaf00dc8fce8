import { signal, useComputed, useSignal } from "@preact/signals";
import { ageWords, runningWords } from "../../../core/view/clock.ts";

/** The time, to the second. Clocks follow it without rendering anything else. */
export const now = signal(Date.now());

/** Lets the clocks tick while the page is visible. */
export function startClocks(): void {
  setInterval(() => {
    if (document.visibilityState === "visible") now.value = Date.now();
  }, 1_000);
  document.addEventListener("visibilitychange", () => {
    now.value = Date.now();
  });
}

/** How long ago something was: `12s ago`, `3m ago`; `now` for a few seconds. */
const agoWords = (atMs: number, nowMs: number): string =>
  nowMs - atMs < JUST_NOW_MS ? "now" : `${ageWords(atMs, nowMs)} ago`;

const JUST_NOW_MS = 5_000;

/** A signal with the newest value of a prop, which clocks depend on. */
function useLatest(value: number) {
  const latest = useSignal(value);
  latest.value = value;
  return latest;
}

const timestamp = (atMs: number): string => new Date(atMs).toISOString();

/** The time since `since`, ticking: `5m 23s`. */
export function Elapsed({ since, label }: { since: number; label?: string }) {
  const from = useLatest(since);
  const text = useComputed(() => runningWords(from.value, now.value));
  return (
    <time class="clock" dateTime={timestamp(since)} title={`${label ?? "since"} ${new Date(since).toLocaleString()}`}>
      {text}
    </time>
  );
}

/** How long ago `at` was, ticking: `3m ago`. */
export function Ago({ at }: { at: number }) {
  const from = useLatest(at);
  const text = useComputed(() => agoWords(from.value, now.value));
  return (
    <time class="clock" dateTime={timestamp(at)} title={new Date(at).toLocaleString()}>
      {text}
    </time>
  );
}

/** How old something is, in its largest unit: `25m`. */
export function Age({ since, label }: { since: number; label: string }) {
  const from = useLatest(since);
  const text = useComputed(() => ageWords(from.value, now.value));
  return (
    <time class="clock" dateTime={timestamp(since)} title={`${label} ${new Date(since).toLocaleString()}`}>
      {text}
    </time>
  );
}

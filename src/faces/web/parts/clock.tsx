import { signal, useComputed, useSignal } from "@preact/signals";
import { formatDuration } from "../../../core/duration.ts";

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

/** How long ago something was: `12s ago`, `3m ago`, `2h ago`, `4d ago`. */
export function agoWords(atMs: number, nowMs: number): string {
  const seconds = Math.max(0, Math.floor((nowMs - atMs) / 1_000));
  if (seconds < 5) return "now";
  return `${coarse(seconds)} ago`;
}

/** In its largest unit alone. */
function coarse(seconds: number): string {
  if (seconds < 60) return `${seconds}s`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)}m`;
  return seconds < 86_400 ? `${Math.floor(seconds / 3_600)}h` : `${Math.floor(seconds / 86_400)}d`;
}

/** A clock has no milliseconds. */
export const elapsedWords = (ms: number): string =>
  ms < 1_000 ? "0s" : formatDuration(Math.floor(ms / 1_000) * 1_000);

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
  const text = useComputed(() => elapsedWords(now.value - from.value));
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
  const text = useComputed(() => coarse(Math.max(0, Math.floor((now.value - from.value) / 1_000))));
  return (
    <time class="clock" dateTime={timestamp(since)} title={`${label} ${new Date(since).toLocaleString()}`}>
      {text}
    </time>
  );
}

/** The time until `at`, ticking: `in 12m`. */
export function Until({ at }: { at: number }) {
  const to = useLatest(at);
  const text = useComputed(() => {
    const left = Math.ceil((to.value - now.value) / 1_000);
    return left > 0 ? `in ${coarse(left)}` : "now";
  });
  return (
    <time class="clock" dateTime={timestamp(at)} title={new Date(at).toLocaleString()}>
      {text}
    </time>
  );
}

import { fieldOf } from "./field.ts";
import { jsonIn } from "./json-text.ts";

/** Who drives a loop, a task or a run: a process, or a host in one of its sessions. */
export type Holder = { pid: number; machine: string } | { host: string; session: string };

/** A holder in words. */
export const holderWords = (holder: Holder): string =>
  "host" in holder ? `${holder.host} session ${holder.session}` : `pid ${holder.pid} on ${holder.machine}`;

/** A holder as stored in a row. */
export const holderText = (holder: Holder): string => JSON.stringify(holder);

/** Parses the holder in a row. Rows of earlier versions contain only text. */
export function holderIn(text: string): { holder: string; host: string | null } {
  // The row is untrusted: any program of the user can write to it.
  const kept = text.startsWith("{") ? jsonIn(text) : undefined;
  const [host, session, pid, machine] = ["host", "session", "pid", "machine"].map((name) => fieldOf(kept, name));
  if (typeof host === "string") return { holder: holderWords({ host, session: String(session) }), host };
  if (typeof pid === "number") return { holder: holderWords({ pid, machine: String(machine) }), host: null };
  return { holder: text, host: /^(.*?) session /s.exec(text)?.[1] ?? null };
}

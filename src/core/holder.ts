import { fieldOf } from "./field.ts";

/** Who drives a loop: a process, or a host in one of its sessions. */
export type Holder = { pid: number; machine: string } | { host: string; session: string };

/** A holder in words. */
export const holderWords = (holder: Holder): string =>
  "host" in holder ? `${holder.host} session ${holder.session}` : `pid ${holder.pid} on ${holder.machine}`;

/** What the row of a loop keeps of its holder. */
export const holderText = (holder: Holder): string => JSON.stringify(holder);

/** What a row says about its holder. Rows of earlier versions have only words. */
export function holderIn(text: string): { holder: string; host: string | null } {
  const kept = text.startsWith("{") ? parsed(text) : undefined;
  const [host, session, pid, machine] = ["host", "session", "pid", "machine"].map((name) => fieldOf(kept, name));
  if (typeof host === "string") return { holder: holderWords({ host, session: String(session) }), host };
  if (typeof pid === "number") return { holder: holderWords({ pid, machine: String(machine) }), host: null };
  return { holder: text, host: /^(.*?) session /s.exec(text)?.[1] ?? null };
}

/** Any program of the user can write into the row. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

import { formatDuration } from "../duration.ts";
import { counted, firstNamed, shorten } from "../excerpt.ts";
import type { LoopSpec, Notice, Receiver, Recipient } from "./spec.ts";

/** A problem that does not stop the loop. `to` names the recipient without its secrets. */
export type Note =
  | { type: "notice.failed"; loop: string; notice: Notice; to: string; detail: string }
  | { type: "notice.dropped"; loop: string; to: string; count: number }
  | { type: "notice.pending"; loop: string; count: number; withinMs: number }
  | { type: "anchor.failed"; loop: string; to: string; detail: string }
  | { type: "receipt.failed"; loop: string; detail: string }
  | { type: "files.excluded"; path: string }
  | { type: "checks.unprotected"; loop: string; commands: readonly string[] };

/** A note on one line, for display. */
export function noteWords(note: Note): string {
  switch (note.type) {
    case "notice.failed":
      return `notification "${note.notice}" failed, ${note.to}: ${note.detail}`;
    case "notice.dropped":
      return `${counted(note.count, "notification")} dropped, ${note.to}: it is slower than the loop, or it ran out of time`;
    case "notice.pending":
      return `${counted(note.count, "notification")} still being sent, for up to ${formatDuration(note.withinMs)} (Ctrl-C quits now)`;
    case "anchor.failed":
      return `the ${note.to} did not get the head of the journal: ${note.detail} (ralph why ${note.loop} shows it)`;
    case "receipt.failed":
      return `no receipt was written: ${note.detail} (ralph receipt show ${note.loop} tries again)`;
    case "files.excluded":
      return excludedWords(note.path);
    case "checks.unprotected":
      return `warning: ${unprotectedWords(note.commands)}: ${SCOPE_HINT}`;
  }
}

const excludedWords = (path: string): string =>
  `Ralph's own files (logs and receipts in .ralph/) are listed in ${path} from now on, so git ignores them`;

/** Reports checks for which nothing is protected. */
export const unprotectedWords = (commands: readonly string[]): string =>
  `nothing that decides ${firstNamed(commands.map((command) => `\`${shorten(command, COMMAND_CHARS)}\``))} could be protected`;

export const SCOPE_HINT = "set a scope, the only paths that the agent may change (--scope 'src/**')";

const COMMAND_CHARS = 80;

/** A recipient by its index in the settings: a command may contain a secret anywhere, a URL after its host. */
export const recipientName = ({ run }: Recipient, place: number): string => `notify[${place}] (${receiverName(run)})`;

/** The part of a receiver that may be displayed. */
export const receiverName = (run: Receiver): string => ("webhook" in run ? maskUrls(run.webhook) : "command");

/** A receiver for display. */
const maskedReceiver = (run: Receiver): Receiver =>
  "webhook" in run ? { webhook: maskUrls(run.webhook) } : { command: maskUrls(run.command) };

/** The text with every URL reduced to its host: credentials and the path of a webhook are secrets. */
export const maskUrls = (text: string): string =>
  text.replace(/(\w+:\/\/)(?:[^\s/?#@'"]*@)?([^\s/?#'"]+)[^\s'"]*/g, "$1$2/…");

/** The spec for display: without secrets, so it can no longer be run. */
export const shownSpec = (spec: LoopSpec): LoopSpec => ({
  ...spec,
  notify: spec.notify.map(({ on, run }) => ({ on, run: maskedReceiver(run) })),
  anchor: spec.anchor && maskedReceiver(spec.anchor),
});

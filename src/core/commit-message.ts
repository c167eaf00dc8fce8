import { printable } from "./ansi.ts";
import { cut, shorten } from "./excerpt.ts";

const SUBJECT_CHARS = 72;
const PATCH_CHARS = 6_000;

interface Changes {
  title: string;
  /** Which files changed, and how much. */
  stat: string;
  patch: string;
}

/** The prompt that asks an agent for a commit message. */
export const commitQuestion = ({ title, stat, patch }: Changes): string =>
  [
    "Write the message for a commit of the changes below.",
    "Answer with one line and nothing else: imperative mood, at most 72 characters, no quotes, no full stop.",
    "Everything you need is here: use no tool and change no file.",
    `The task was: ${title}`,
    `Changed files:\n${cut(stat.trimEnd(), PATCH_CHARS)}`,
    `Changes:\n${cut(patch.trimEnd(), PATCH_CHARS)}`,
  ].join("\n\n");

/**
 * The subject line in an agent's answer; null if there is none. The result is one printable line, so that an answer
 * cannot add trailers or flood the log.
 */
export function commitSubject(answer: string): string | null {
  const lines = answer
    .replace(/<(promise|response|blocked)>[\s\S]*?<\/\1>/gi, "")
    .split("\n")
    .map(bareLine)
    .filter((line) => line !== "");
  // An announcement ("Here is the message:") is followed by the message itself.
  const subject = lines.find((line, i) => !(line.endsWith(":") && i < lines.length - 1));
  return subject ? shorten(subject, SUBJECT_CHARS) : null;
}

/** A line without decoration around the message: code fences, quotes, labels, list marks, full stops. */
function bareLine(line: string): string {
  return printable(line)
    .trim()
    .replace(/^`{3}\w*$/, "")
    .replace(/^(?:[-*>#]+\s+|\*\*(?=.*\*\*$))+/, "")
    .replace(/\*\*$/, "")
    .replace(/^(?:commit message|message|subject)\s*:\s*/i, "")
    .replace(/^(["'`“‘])(.*)(["'`”’])$/u, "$2")
    .replace(/\.+$/, "")
    .trim();
}

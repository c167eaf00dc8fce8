import { MOST, type NewCommits } from "./memory.ts";

const LINE = /^([0-9a-f]{40,64}) ([0-9a-f]{40,64}) [^\t]*\t([^:]*)(?:: ?(.*))?$/;
const MAKES = /^(?:commit|cherry-pick|revert|merge|pull|am|rebase)\b/;
/** They move HEAD to a commit that exists. */
const MOVES = /\((?:start|finish|abort|skip)\)|fast-forward/i;
const SHORT = 10;

/**
 * The commits since `base` in a reflog of HEAD; an empty base is the time before the first commit. Null if the log does
 * not reach back to it. Commits that were replaced or left by a reset are not among them.
 */
export function commitsIn(reflog: string, base: string): NewCommits | null {
  let made: { hash: string; subject: string }[] | null = null;
  for (const line of reflog.split("\n")) {
    const [, from = "", to = "", action = "", subject = ""] = LINE.exec(line) ?? [];
    if (to === "") continue;
    if (made === null && isStart(from, base)) made = [];
    made = after(made, { action: `${action}: ${subject}`, to, subject, base });
  }
  const last = (made ?? []).slice(-MOST.commits);
  return (
    made && { last: last.map(({ hash, subject }) => ({ hash: hash.slice(0, SHORT), subject })), count: made.length }
  );
}

interface Step {
  action: string;
  to: string;
  subject: string;
  base: string;
}

function after(made: { hash: string; subject: string }[] | null, { action, to, subject, base }: Step) {
  if (base !== "" && to === base) return [];
  if (made === null) return null;
  const known = made.findIndex(({ hash }) => hash === to);
  if (known >= 0) return made.slice(0, known + 1);
  if (!MAKES.test(action) || MOVES.test(action)) return made;
  const kept = action.startsWith("commit (amend)") ? made.slice(0, -1) : made;
  return [...kept, { hash: to, subject }];
}

const isStart = (from: string, base: string): boolean => (base === "" ? /^0+$/.test(from) : from === base);

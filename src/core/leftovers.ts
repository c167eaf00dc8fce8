import { printable } from "./ansi.ts";
import { shorten } from "./excerpt.ts";
import { hideSecretWords } from "./secrets.ts";

/** Processes that a command left running. */
export interface Leftovers {
  count: number;
  /** The first of them, as command lines with their process ids. */
  named: readonly string[];
  /** `kept`: they still run, because they are part of the work or belong to a host's session. */
  are: "ended" | "kept";
}

interface RunningProcess {
  pid: number;
  words: readonly string[];
}

const MOST_NAMED = 5;
const NAME_CHARS = 120;

/** Processes as they are recorded: command lines are written by the agent and may contain secrets. */
export const leftoversOf = (processes: readonly RunningProcess[], are: Leftovers["are"]): Leftovers => ({
  count: processes.length,
  named: processes.slice(0, MOST_NAMED).map(({ pid, words }) => {
    const line = printable(hideSecretWords(words).join(" "));
    return `${shorten(line, NAME_CHARS)} (pid ${pid})`;
  }),
  are,
});

/** What happened to the processes that `what` left running, such as `the turn`. */
export function leftoverWords({ count, named, are }: Leftovers, what: string): string {
  const more = count > named.length ? ` and ${count - named.length} more` : "";
  const processes = `${count} process${count === 1 ? "" : "es"}`;
  return are === "kept"
    ? `kept running: ${named.join(", ")}${more}`
    : `ended ${processes} that ${what} left running: ${named.join(", ")}${more}`;
}

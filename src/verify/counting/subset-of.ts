import { subsetByDiff, subsetIn } from "../../core/counting/subset.ts";
import { usedBy } from "../tamper/referenced-files.ts";

/** What these print is not run. */
const PRINTERS: ReadonlySet<string> = new Set(["echo", "printf", "cat"]);

/** By which part a command, or a script it runs, chooses a subset of the tests; null if it does not. */
export function subsetOf(command: string, folder: string): string | null {
  const { commands } = usedBy([{ command, dir: folder }], folder);
  const run = commands.filter(({ words }) => !PRINTERS.has(words[0] ?? ""));
  const options = run.map(({ before, words }) => subsetIn([...before, ...words].join(" ")));
  return options.find((option) => option !== null) ?? subsetByDiff(command);
}

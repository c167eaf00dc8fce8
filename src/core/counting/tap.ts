import type { Reader } from "./forms.ts";
import type { Part, Tally } from "./tally.ts";

const POINT = /^(\s*)(not )?ok\b(?: \d+)?(?: -)?(?: (?!#)(.*?))?(?: # (?:(SKIP|TODO)\b.*|.*?))?( \{)?$/i;
/** The name that tape prints before the assertions of a test. */
const NAME = /^# (?!Subtest: |(?:tests|pass|fail|skip|todo|time|duration_ms)\b|ok$|\{)(.*)$/;

/**
 * TAP of any program, once it has as many points as its plan says. A point with points in it is a group. Where every
 * test is announced by its name, as by tape, the points are assertions.
 */
export const tapOutput: Reader = (to) => {
  let run = newRun();
  const endTest = () => {
    if (run.test?.part) {
      to.test(run.test.name, run.test.part);
      run.parts.push(run.test.part);
    }
    run.test = null;
  };
  const endRun = () => {
    endTest();
    to.begin();
    for (const part of run.parts) to.add(part, 1);
    run = newRun();
  };
  return (line) => {
    if (/^TAP version \d/.test(line)) run = newRun();
    const plan = /^1\.\.(\d+)/.exec(line)?.[1];
    const name = NAME.exec(line)?.[1];
    if (plan !== undefined) run.plan = Number(plan);
    else if (name !== undefined && (run.points === 0 || run.isNamed)) {
      endTest();
      run.isNamed = true;
      run.test = nameOf(name);
    } else point(line, run, to);
    if (run.plan === run.points && run.depth === 0) endRun();
    return false;
  };
};

interface Run {
  plan: number | null;
  /** Those that the plan counts. */
  points: number;
  parts: Part[];
  /** How many groups are open whose points follow them, in braces. */
  depth: number;
  /** The indentation of the last point. */
  last: number;
  isNamed: boolean;
  test: { name: string; part: Part | null } | null;
}

const newRun = (): Run => ({ plan: null, points: 0, parts: [], depth: 0, last: 0, isNamed: false, test: null });

const nameOf = (text: string): Run["test"] =>
  text.startsWith("SKIP ") ? { name: text.slice("SKIP ".length), part: "skipped" } : { name: text, part: null };

const WORST: readonly Part[] = ["skipped", "passed", "failed"];

function point(line: string, run: Run, to: Tally): void {
  const end = /^(\s*)\}$/.exec(line)?.[1];
  if (end !== undefined) {
    run.depth = Math.max(0, run.depth - 1);
    run.last = end.length;
  }
  const [found, indent = "", not, name = "", directive, open] = POINT.exec(line) ?? [];
  if (found === undefined) return;
  const part: Part = directive ? "skipped" : not ? "failed" : "passed";
  const isGroup = open !== undefined || run.last > indent.length;
  if (indent === "") run.points += 1;
  if (open !== undefined) run.depth += 1;
  run.last = indent.length;
  if (run.test) run.test.part = WORST[Math.max(WORST.indexOf(part), WORST.indexOf(run.test.part ?? "skipped"))] ?? part;
  else if (!isGroup) {
    to.test(name, part);
    run.parts.push(part);
  }
}

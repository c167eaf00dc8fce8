import { printable } from "../../../core/ansi.ts";
import { counted, shorten } from "../../../core/excerpt.ts";
import { type Leftovers, leftoverWords } from "../../../core/leftovers.ts";
import { objectionTo } from "../../../core/loop/decide.ts";
import type { CheckResult, LoopEvent, TurnEnded, TurnVoided, Verdict } from "../../../core/loop/events.ts";
import { type LeftOut, leftOutWords } from "../../../core/loop/left-out.ts";
import { nextAgent } from "../../../core/loop/next-agent.ts";
import { type Note, noteWords } from "../../../core/loop/notes.ts";
import type { LoopState } from "../../../core/loop/state.ts";
import { doubtWords } from "../../../core/loop/words.ts";
import { labelsOf } from "../../../core/proof/level-of.ts";
import { isBacked } from "../../../core/proof/methods.ts";
import { provedWords } from "../../../core/proof/proved.ts";
import { allowLines, refusedWords } from "../../../core/refusals.ts";
import { clockTime } from "../../../core/view/clock.ts";
import { objectionWords } from "../../../core/why.ts";
import { paint } from "../../terminal/paint.ts";
import { agentName, effectName, waitWords } from "../output/phrases.ts";
import { markOf } from "./end-lines.ts";

const FINDING_CHARS = 300;

export interface Moment {
  event: LoopEvent;
  before: LoopState;
  after: LoopState;
  /** The loop's id. */
  loop?: string;
}

/** The lines for an event as it happens. */
export function linesOf({ event, before, after, loop }: Moment): string[] {
  switch (event.type) {
    case "turn.began":
      return [paint("bold", `── ${turnName(event, after)} ──`)];
    case "turn.ended":
      return [
        ...refusalLines(event, after, loop),
        ...turnLines(event, after),
        ...leftLine(event.left, "the turn"),
        ...idleLine(before, after),
      ];
    case "turn.voided":
      return voidLines(event, before, after);
    case "tree.seen":
      return idleLine(before, after);
    case "guards.ended":
      return [
        ...event.results.flatMap((result, i) =>
          result.is === "pass"
            ? []
            : [
                paint("red", `  ✗ a guardrail failed: completion refused (${before.spec?.guardrails[i]?.failAction})`),
                ...feedbackLine(result, result.command),
              ],
        ),
        ...event.results.flatMap(({ left, command }) => leftLine(left, command)),
        ...idleLine(before, after),
      ];
    case "claim.judged": {
      const { verdict } = event;
      const warnings = [
        ...verdict.checks.flatMap(warningLine),
        ...verdict.checks.flatMap(({ left, name }) => leftLine(left, name)),
      ];
      if (verdict.is === "pass") {
        const idle = idleLine(before, after);
        return [...(idle.length > 0 ? idle : [passLine(verdict)]), ...warnings];
      }
      return [
        paint("red", `  ✗ not proven${howFar(verdict)} ${printable(verdict.reason)}`),
        ...toldToAgent(verdict).flatMap((check) => feedbackLine(check, check.name)),
        ...warnings,
      ];
    }
    case "baseline.taken":
      return baselineLines(event.results);
    case "effect.settled": {
      const mark = event.is === "failed" ? paint("red", "✗") : paint("green", "✓");
      const subject = event.subject ? ` ${printable(event.subject)}` : "";
      return [
        `  ${mark} ${settledName(before)} ${event.is}: ${shortCommit(printable(event.detail))}${subject}`,
        ...newlyLeftOut(event.leftOut, before),
      ];
    }
    default:
      return [];
  }
}

/** A full commit id is too long for a line. */
const shortCommit = (text: string): string => (/^[0-9a-f]{40,64}$/.test(text) ? text.slice(0, 10) : text);

/** Reported once, not with every commit. */
const newlyLeftOut = (leftOut: LeftOut | undefined, before: LoopState): string[] =>
  leftOut && JSON.stringify(leftOut) !== JSON.stringify(before.leftOut)
    ? leftOutWords(leftOut).map((words) => paint("yellow", `  ! ${words}`))
    : [];

/** The effect that has ended: at most one runs at a time. */
export const settledName = ({ effect }: LoopState): string => (effect ? effectName(effect.effect) : "effect");

function turnName({ n, attempt }: LoopEvent & { type: "turn.began" }, { limits, spec, ...state }: LoopState): string {
  const most = limits.maxIterations === null ? "" : `/${limits.maxIterations}`;
  const again = attempt > 1 ? `, attempt ${attempt}` : "";
  const who = spec && spec.agents.length > 1 ? `, ${agentName({ ...state, spec })}` : "";
  return `iteration ${n}${most}${again}${who}`;
}

function voidLines({ why, detail }: TurnVoided, before: LoopState, after: LoopState): string[] {
  // A missing agent or login stops the loop and is reported with its end.
  if (why === "interrupted" || why === "agent-missing" || why === "auth") return [];
  if (why === "bad-session")
    return [paint("yellow", "  its session is gone or full: a new one is started (uses no iteration)")];
  const reason = [why, printable(detail)].filter(Boolean).join(": ");
  return [paint("yellow", `  ${whatNow(reason, before, after)} (uses no iteration)`)];
}

function whatNow(reason: string, before: LoopState, after: LoopState): string {
  if (after.wait) return waitWords(after.wait.untilMs, reason, after.atMs);
  const limitedUntil = after.limited[before.agent] ?? 0;
  const next = nextAgent(after, after.atMs);
  if (next === before.agent || limitedUntil <= after.atMs) return reason;
  const takesOver = `${agentName({ ...after, agent: next })} takes over`;
  return `${agentName(before)} is limited until ${clockTime(limitedUntil, after.atMs)}, ${takesOver} (${reason})`;
}

/** A claim that is not checked because no work was done. Other objections are reported when they are found. */
function idleLine(before: LoopState, after: LoopState): string[] {
  const isIdle = (s: LoopState) => s.turn !== null && objectionTo(s, s.turn) === "no-work";
  if (!isIdle(after) || isIdle(before)) return [];
  const what = after.turn?.claim ? "claim refused" : "not checked";
  return [paint("red", `  ✗ ${what}: ${objectionWords("no-work", [])}`)];
}

/** An undecided check is repeated or ends the loop: it is not reported to the agent. */
const toldToAgent = ({ is, checks }: Verdict): CheckResult[] =>
  is === "unknown" ? [] : checks.filter(({ optional }) => !optional);

/** What the next iteration gets as feedback for a guardrail or check that did not pass. */
function feedbackLine({ is, reason, excerpt }: CheckResult, name: string): string[] {
  if (is === "pass") return [];
  const lines = excerpt.trim() === "" ? 0 : excerpt.trim().split("\n").length;
  const what = `${printable(name)}, ${printable(reason)}, ${counted(lines, "line")} of output`;
  return [paint("dim", `  → feedback: ${what}`)];
}

const warningLine = ({ is, optional, name, reason }: CheckResult): string[] =>
  optional && is !== "pass" ? [paint("yellow", `  ! warning: ${printable(name)} (${reason})`)] : [];

/** Processes that a turn or a command left running. Their names are already safe to print. */
const leftLine = (left: Leftovers | undefined, what: string): string[] =>
  left ? [paint("yellow", `  ! ${leftoverWords(left, printable(what))}`)] : [];

/** A check before any work. One that fails is no bad news, unless it could not run at all. */
function baselineLine({ name, is, reason, noted, optional }: CheckResult): string {
  const facts = noted === undefined ? reason : `${reason}, ${noted}`;
  const line = (mark: string) => `  ${mark} before any work: ${printable(name)} (${printable(facts)})`;
  if (is === "pass") return paint("dim", line("✓"));
  if (is === "unknown") return paint("red", line("✗"));
  return paint("dim", `${line("·")}: fails now${optional ? "" : ", as it should"}`);
}

function baselineLines(results: readonly CheckResult[]): string[] {
  const gate = results.filter(({ optional }) => !optional);
  const green = gate.length > 0 && gate.every(({ is }) => is === "pass");
  return [
    ...results.map(baselineLine),
    ...results.flatMap(({ left, name }) => leftLine(left, name)),
    ...(green
      ? [paint("yellow", "  ! the checks pass before any work: they cannot show whether the work is done")]
      : []),
  ];
}

/** What a passing verdict proves: less if nothing failed before, or nothing was checked. */
function passLine({ proof = "promise-only", checks, reason, proved }: Verdict): string {
  const criteria = proved ? `${proved.proved}/${proved.of} criteria, ` : "";
  const label = labelsOf(checks).join(", ");
  const named = label ? `${proof} [${label}]` : proof;
  return `  ${markOf(proof, `${named}: ${criteria}${printable(reason)}`)}`;
}

/** The number of proved criteria replaces a plain "fail"; "unknown" is always shown. */
function howFar({ is, proved }: Verdict): string {
  const isAll = proved !== undefined && proved !== null && proved.of > 0 && proved.proved === proved.of;
  const facts = [...(is === "fail" && proved ? [] : [is]), ...(proved && !isAll ? [provedWords(proved)] : [])];
  const inBrackets = facts.length > 0 ? ` (${facts.join(", ")})` : "";
  return isAll ? `${inBrackets}: ${proved.proved} of ${proved.of} criteria proved, but` : `${inBrackets}:`;
}

function reviewLines({ review, reviewFault }: TurnEnded): string[] {
  if (reviewFault !== undefined) return [paint("yellow", `  review not readable: ${printable(reviewFault)}`)];
  if (!review) return [];
  if (review.approved && review.findings.length === 0) return ["  review: approved"];
  const word = review.approved
    ? "approved, with findings"
    : `not approved, ${counted(review.findings.length, "finding")}`;
  return [
    paint("yellow", `  review: ${word}`),
    ...review.findings.map((finding) => paint("yellow", `    - ${shorten(printable(finding), FINDING_CHARS)}`)),
  ];
}

/** The agent cannot ask in a loop: without the permission it would be refused again. */
function refusalLines({ refusals, failed }: TurnEnded, state: LoopState, loop?: string): string[] {
  if (!refusals) return [];
  const { part, run } = state.spec ?? {};
  // A turn that failed for it says how to allow it.
  const ways = failed?.kind === "permission-denied" ? [] : allowLines(refusals, part || run ? null : (loop ?? null));
  return [
    paint("red", `  ✗ ${printable(agentName(state))} was refused ${printable(refusedWords(refusals.tools))}`),
    ...ways.map((line) => paint("yellow", `    ${printable(line)}`)),
  ];
}

function turnLines(ended: TurnEnded, { spec }: LoopState): string[] {
  const { failed, blocked, claim, doubts } = ended;
  if (failed) return [paint("red", `  ✗ the agent failed (${failed.kind}): ${printable(failed.detail)}`)];
  if (blocked) return [paint("yellow", `  blocked: ${printable(blocked)}`)];
  const against = doubts.filter((doubt) => doubt.is === "contradicted" || !claim).slice(0, 3);
  const contradicted = spec && isBacked(spec.proof) ? "doubt" : "✗ claim refused";
  return [
    ...reviewLines(ended),
    ...(claim ? [`  claim: ${printable(claim.quote)}`] : []),
    ...against.map((doubt) => {
      const kind = doubt.is === "guarded" ? "no claim" : contradicted;
      return paint("yellow", `  ${kind} (${doubtWords(doubt)}): “${printable(doubt.quote)}”`);
    }),
  ];
}

/** A problem that does not stop the loop; that Ralph's files are ignored by git is none. */
export const noteLine = (note: Note): string =>
  paint(note.type === "files.excluded" ? "dim" : "yellow", `  ${printable(noteWords(note))}`);

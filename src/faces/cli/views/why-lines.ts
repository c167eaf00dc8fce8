import { printable } from "../../../core/ansi.ts";
import { firstOf } from "../../../core/excerpt.ts";
import { leftoverWords } from "../../../core/leftovers.ts";
import type { Objection } from "../../../core/loop/decide.ts";
import { discardedNames } from "../../../core/loop/discarded.ts";
import type { CheckResult, Review, TurnEnded, Verdict } from "../../../core/loop/events.ts";
import { leftOutWords } from "../../../core/loop/left-out.ts";
import type { Ending, LoopSpec } from "../../../core/loop/spec.ts";
import { agentLabel } from "../../../core/loop/words.ts";
import { criteriaOf, provedWords } from "../../../core/proof/proved.ts";
import { refusedWords, unproposedWords } from "../../../core/refusals.ts";
import { totalTokens } from "../../../core/usage.ts";
import { type Explained, type ExplainedAttempt, type ExplainedBaseline, objectionWords } from "../../../core/why.ts";
import type { FailingTests } from "../../../core/why-decided.ts";
import {
  claimWords,
  doubtQuote,
  effectWords,
  findingLine,
  openTurnWords,
  resultFacts,
  resultName,
  spentWords,
  testCountWords,
  verdictWords,
  withDetail,
} from "../../../core/why-words.ts";
import { wrapCells } from "../../terminal/cells.ts";
import { paint } from "../../terminal/paint.ts";

/** A name and its text; a row without a name continues the one before. */
type Row = readonly [name: string, text: string];

const INDENT = 12;
const HASH_CHARS = 12;

interface Shown {
  /** The columns of a line, which is broken between words. */
  width?: number;
  failing?: FailingTests;
  /** Whether a process drives the loop now; omitted if that is not known. */
  held?: boolean;
}

/** An attempt or the baseline as lines. */
export function explainedLines(
  explained: Explained,
  spec: LoopSpec | null,
  { width = Number.POSITIVE_INFINITY, failing = () => [], held }: Shown = {},
): string[] {
  const [title, rows] =
    explained.is === "baseline"
      ? ["before any work", baselineRows(explained, failing)]
      : [titleOf(explained, spec), attemptRows(explained, spec, { failing, held })];
  return [paint("bold", title), ...rows.map((row) => lineOf(row, width))];
}

function lineOf([name, text]: Row, width: number): string {
  const room = Math.max(20, width - INDENT);
  return `  ${name.padEnd(9)} ${wrapCells(printable(text), room).replaceAll("\n", `\n${" ".repeat(INDENT)}`)}`;
}

function baselineRows({ results, head, tree, proved, refused }: ExplainedBaseline, failing: FailingTests): Row[] {
  const required = results.filter(({ optional }) => !optional);
  const isGreen = required.length > 0 && required.every(({ is }) => is === "pass");
  return [
    ...results.flatMap((result) => checkRows("check", result, failing)),
    ...(isGreen ? [["green", "every check already passes, so passing proves nothing about the work"] as const] : []),
    ...(proved ? [["criteria", provedWords(proved)] as const] : []),
    ...placeRows("state", head, tree),
    ...(refused ? [["refused", `${refused.reason}: ${refused.detail}`] as const] : []),
  ];
}

function titleOf({ n, attempt, agent }: ExplainedAttempt, spec: LoopSpec | null): string {
  const again = attempt > 1 ? `, attempt ${attempt}` : "";
  const who = spec && spec.agents.length > 1 ? ` (${agentLabel(spec.agents, agent)})` : "";
  return `iteration ${n}${again}${who}`;
}

function attemptRows(
  attempt: ExplainedAttempt,
  spec: LoopSpec | null,
  { failing, held }: { failing: FailingTests; held: boolean | undefined },
): Row[] {
  return [
    ...turnRows(attempt, spec, held),
    ...attempt.guards.flatMap((guard) => checkRows("guardrail", guard, failing)),
    ...objectionRows(attempt),
    ...attempt.effects.flatMap((effect): Row[] => [
      ["effect", effectWords(effect)],
      ...leftOutWords(effect.leftOut ?? {}).map((words): Row => ["", words]),
    ]),
    ...attempt.verdicts.flatMap((verdict) => verdictRows(verdict, spec, failing)),
    ...attempt.moves.map((move): Row => ["moved", move]),
    ["decision", attempt.decision],
  ];
}

function turnRows(attempt: ExplainedAttempt, spec: LoopSpec | null, held: boolean | undefined): Row[] {
  const { ended, voided } = attempt;
  if (voided) {
    const cost: Row[] = voided.usageUnknown ? [["cost", "not known: the log of the turn is gone, or was changed"]] : [];
    return [["void", withDetail(voided.why, voided.detail)], ...cost];
  }
  if (!ended) return [["agent", openTurnWords(attempt, held)]];
  const { failed, blocked, doubts, usage, review, reviewFault, discarded, left } = ended;
  return [
    ...(totalTokens(usage) > 0 ? [["spent", spentWords(usage)] as const] : []),
    ...claimRows(ended, spec?.ends ?? "claim"),
    ...doubts.map((doubt): Row => [doubt.is === "guarded" ? "guarded" : "against", doubtQuote(doubt)]),
    ...(review ? reviewRows(review) : []),
    ...(reviewFault === undefined ? [] : [["review", `cannot be read: ${reviewFault}`] as const]),
    ...(discarded ? [["discarded", discardedNames(discarded).join(", ")] as const] : []),
    ...(left ? [["left", leftoverWords(left, "the turn")] as const] : []),
    ...(failed ? [["failed", `${failed.kind}: ${failed.detail}`] as const] : []),
    ...refusalRows(ended),
    ...(blocked ? [["blocked", blocked] as const] : []),
  ];
}

function refusalRows({ refused, refusals }: TurnEnded): Row[] {
  if (!refusals) return refused ? [["refused", refused]] : [];
  const left = unproposedWords(refusals);
  return [["refused", refusedWords(refusals.tools)], ...(left === null ? [] : [["", printable(left)] as const])];
}

function claimRows(ended: TurnEnded, ends: Ending): Row[] {
  const words = claimWords(ended, ends);
  return words === null ? [] : [["claim", words]];
}

const reviewRows = ({ approved, findings }: Review): Row[] => [
  ["review", approved ? "approved" : "not approved"],
  ...findings.map((finding): Row => ["", `- ${finding}`]),
];

/** Objections that other rows already show. */
const SAID: ReadonlySet<Objection> = new Set(["no-claim", "blocked"]);

const objectionRows = ({ objection, guards }: ExplainedAttempt): Row[] =>
  objection && !SAID.has(objection) ? [["objection", objectionWords(objection, guards)]] : [];

function verdictRows(verdict: Verdict, spec: LoopSpec | null, failing: FailingTests): Row[] {
  const { proved, tampered = [], head = "", tree = null, weak = [], grew } = verdict;
  const open = spec && proved ? criteriaOf(spec.proof, proved).filter((criterion) => !criterion.proved) : [];
  return [
    ...verdict.checks.flatMap((check) =>
      checkRows(check.optional && check.is !== "pass" ? "warning" : "check", check, failing),
    ),
    ...tampered.map(({ path, change }): Row => ["tampered", `${path}: ${change}`]),
    ...open.map(({ text }): Row => ["open", text]),
    ...placeRows("judged", head, tree),
    ["verdict", verdictWords(verdict)],
    ...(grew ? [["tests", grew] as const] : []),
    ...weak.map((words): Row => ["weak", words]),
  ];
}

function checkRows(name: string, result: CheckResult, failing: FailingTests): Row[] {
  const { is, reason, since, criterion, tests, findings = [] } = result;
  const facts = [reason, since, tests && testCountWords(tests), ...resultFacts(result)].filter(Boolean);
  return [
    [name, `${is}: ${resultName(result)} (${facts.join(", ")})`],
    ...(criterion === undefined ? [] : [["", `proves: ${criterion}`] as const]),
    ...firstOf(failing(result), TESTS_SHOWN).map((test): Row => ["", `✗ ${test}`]),
    ...findings.map((finding): Row => ["finding", findingLine(finding)]),
  ];
}

/** `ralph why --json` has more. */
const TESTS_SHOWN = 10;

/** The commit and tree that were checked; nothing without git. */
function placeRows(name: string, head: string, tree: string | null): Row[] {
  const parts = Object.entries({ commit: head, tree }).flatMap(([what, hash]) =>
    hash ? [`${what} ${hash.slice(0, HASH_CHARS)}`] : [],
  );
  return parts.length > 0 ? [[name, parts.join(", ")]] : [];
}

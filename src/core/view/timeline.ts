import { printable, printableText } from "../ansi.ts";
import { counted, firstOf } from "../excerpt.ts";
import { leftoverWords } from "../leftovers.ts";
import type { Objection } from "../loop/decide.ts";
import { discardedNames } from "../loop/discarded.ts";
import type { CheckResult, TurnEnded, Verdict } from "../loop/events.ts";
import { leftOutWords } from "../loop/left-out.ts";
import type { Ending, LoopSpec } from "../loop/spec.ts";
import { agentLabel, tamperWords } from "../loop/words.ts";
import { criteriaOf } from "../proof/proved.ts";
import { refusedWords, unproposedWords } from "../refusals.ts";
import { totalTokens } from "../usage.ts";
import { type ExplainedAttempt, objectionWords } from "../why.ts";
import {
  claimWords,
  doubtQuote,
  effectWords,
  findingLine,
  openTurnWords,
  resultFacts,
  testCountWords,
  verdictWords,
  withDetail,
} from "../why-words.ts";
import type { CheckLine, Phase, TimelineItem } from "./loop-page.ts";
import type { Tone } from "./tones.ts";
import { levelTone } from "./tones.ts";

/** An attempt with the names of its failing tests, by check. */
export type ShownAttempt = ExplainedAttempt & { failingTests: Readonly<Record<string, readonly string[]>> };

/** What an attempt is shown with. */
interface Around {
  spec: LoopSpec | null;
  /** Whether a process drives the loop. */
  held: boolean;
  /** Whether it is the loop's last attempt so far. */
  isLast: boolean;
}

const MOST_TESTS = 50;
const MOST_DETAILS = 20;

/** An attempt at an iteration, phase by phase in the order in which they decide. */
export function timelineItem(attempt: ShownAttempt, around: Around): TimelineItem {
  const { n, agent, usage, ended, proved, decision, effects } = attempt;
  const { spec } = around;
  const failing = (name: string) => attempt.failingTests[name] ?? [];
  return {
    n,
    attempt: attempt.attempt,
    agent: printable(spec ? agentLabel(spec.agents, agent) : ""),
    model: ended?.model ? printable(ended.model) : null,
    beganMs: attempt.beganAtMs,
    endedMs: attempt.endedAtMs,
    tone: toneOf(attempt, around),
    phases: [
      claimPhase(attempt, around),
      ...guardsPhase(attempt),
      ...guardrailPhase(attempt, failing),
      ...attempt.verdicts.map((verdict) => verdictPhase(verdict, spec, failing)),
    ],
    effects: effects.flatMap((effect) => [
      { tone: EFFECT_TONES[effect.is] ?? "active", words: printable(effectWords(effect)) },
      ...leftOutWords(effect.leftOut ?? {}).map((words) => ({ tone: "warn" as const, words: printable(words) })),
    ]),
    costUsd: usage.costUsd,
    tokens: totalTokens(usage),
    proved: proved && { proved: proved.proved, of: proved.of },
    decision: printable(decision),
  };
}

function toneOf(attempt: ShownAttempt, { held, isLast }: Around): Tone {
  const { ended, voided, verdicts, objection } = attempt;
  if (voided) return "warn";
  if (!ended) return held && isLast ? "active" : "warn";
  if (ended.failed) return "bad";
  const verdict = verdicts.at(-1);
  if (verdict) return verdictTone(verdict);
  if (objection === "no-claim") return "plain";
  return objection === "blocked" ? "warn" : objection === null ? "plain" : "bad";
}

const EFFECT_TONES: Readonly<Record<string, Tone>> = { done: "good", skipped: "dim", failed: "bad" };

function claimPhase(attempt: ShownAttempt, { spec, held, isLast }: Around): Phase {
  const { ended, voided } = attempt;
  const phase = { name: "claim", details: [], checks: [] } as const;
  if (voided) {
    const cost = voided.usageUnknown ? ["its cost is not known: the log of the turn is gone, or was changed"] : [];
    return { ...phase, tone: "warn", words: printable(withDetail(voided.why, voided.detail)), details: cost };
  }
  if (!ended) return { ...phase, tone: held && isLast ? "active" : "warn", words: openTurnWords(attempt, held) };
  return { ...phase, tone: turnTone(ended), words: claimed(ended, spec?.ends), details: details(turnDetails(ended)) };
}

function claimed(ended: TurnEnded, ends: Ending = "claim"): string {
  if (ended.claim) return printable(ended.claim.quote);
  return ends === "claim" ? "no claim" : (claimWords(ended, ends) ?? "none; the end of the turn decides");
}

function turnTone({ failed, blocked, claim }: TurnEnded): Tone {
  if (failed) return "bad";
  return blocked ? "warn" : claim ? "good" : "dim";
}

/** What else is known about a turn, a line each. */
function turnDetails({ failed, blocked, review, reviewFault, discarded, left, ...turn }: TurnEnded): string[] {
  const unproposed = turn.refusals ? unproposedWords(turn.refusals) : null;
  return [
    ...(failed ? [`failed: ${withDetail(failed.kind, failed.detail)}`] : []),
    ...(blocked ? [`blocked: ${blocked}`] : []),
    ...(turn.refusals ? [`refused: ${refusedWords(turn.refusals.tools)}`] : []),
    ...(turn.refused && !turn.refusals ? [`refused: ${turn.refused}`] : []),
    ...(unproposed === null ? [] : [unproposed]),
    ...(review ? [`review: ${review.approved ? "approved" : "not approved"}`, ...review.findings] : []),
    ...(reviewFault === undefined ? [] : [`the review cannot be read: ${reviewFault}`]),
    ...(discarded ? [`discarded: ${discardedNames(discarded).join(", ")}`] : []),
    ...(left ? [`left: ${leftoverWords(left, "the turn")}`] : []),
  ];
}

/** Objections that other phases show. */
const ELSEWHERE: ReadonlySet<Objection> = new Set(["no-claim", "blocked", "guardrail"]);

/** What speaks against the claim, or keeps it from counting; nothing without a claim and without doubts. */
function guardsPhase({ ended, objection, guards }: ShownAttempt): Phase[] {
  if (!ended || (!ended.claim && ended.doubts.length === 0)) return [];
  const { doubts } = ended;
  const stops = objection !== null && !ELSEWHERE.has(objection);
  const found = doubts.length > 0 ? counted(doubts.length, "doubt") : "no doubt";
  return [
    {
      name: "guards",
      tone: stops ? "bad" : doubts.length > 0 ? "warn" : "good",
      words: stops ? printable(objectionWords(objection, guards)) : found,
      details: details(doubts.map(doubtQuote)),
      checks: [],
    },
  ];
}

type Failing = (check: string) => readonly string[];

function guardrailPhase({ guards }: ShownAttempt, failing: Failing): Phase[] {
  if (guards.length === 0) return [];
  const passed = guards.filter(({ is }) => is === "pass").length;
  return [
    {
      name: "guardrails",
      tone: passed === guards.length ? "good" : "bad",
      words: `${passed} of ${guards.length} passed`,
      details: [],
      checks: guards.map((guard) => checkLine(guard, failing(guard.name))),
    },
  ];
}

function verdictPhase(verdict: Verdict, spec: LoopSpec | null, failing: Failing): Phase {
  const { checks, tampered = [], proved, weak = [], grew } = verdict;
  const open = spec && proved ? criteriaOf(spec.proof, proved).filter((criterion) => !criterion.proved) : [];
  return {
    name: "verdict",
    tone: verdictTone(verdict),
    words: printable(verdictWords(verdict)),
    details: details([
      ...(tampered.length > 0 ? [`tampered: ${tamperWords(tampered)}`] : []),
      ...open.map(({ text }) => `open: ${text}`),
      ...(grew ? [`tests: ${grew}`] : []),
      ...weak.map((words) => `weak: ${words}`),
    ]),
    checks: checks.map((check) => checkLine(check, failing(check.name))),
  };
}

function verdictTone({ is, proof = "promise-only" }: Verdict): Tone {
  if (is === "unknown") return "warn";
  return is === "pass" ? levelTone(proof) : "bad";
}

const RESULTS = { pass: "passed", fail: "failed", unknown: "unknown" } as const;

/** A check or guardrail. Of a sealed one, only that it ran and how it ended. */
export function checkLine(result: CheckResult, failing: readonly string[] = []): CheckLine {
  const { name, command, is, reason, since = "", tests, excerpt, ms, sealed, optional, criterion } = result;
  const proves = criterion === undefined ? [] : [`proves: ${criterion}`];
  const facts = [...(is === "pass" ? [] : [reason]), ...resultFacts(result), ...proves].map(printable);
  return {
    name: printable(name),
    command: printable(command),
    tone: is === "pass" ? "good" : optional ? "warn" : is === "unknown" ? "warn" : "bad",
    words: [RESULTS[is], ...(facts.length > 0 ? [facts.join("; ")] : [])].join(": "),
    since,
    tests: tests ? testCountWords(tests) : "",
    failing: sealed ? [] : firstOf(failing, MOST_TESTS).map(printable),
    findings: details((result.findings ?? []).map(findingLine)),
    excerpt: sealed ? "" : printableText(excerpt),
    ms,
  };
}

const details = (lines: readonly string[]): string[] => firstOf(lines, MOST_DETAILS).map(printable);

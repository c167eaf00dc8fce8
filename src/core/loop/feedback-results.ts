import { findingWords } from "../proof/proved.ts";
import type { CheckResult, Finding, Verdict } from "./events.ts";
import { appendedPiece, hasLogRoom, lineIn, outputIn, type Piece, type Room, type Said } from "./feedback-budget.ts";
import type { Guardrail, LoopSpec } from "./spec.ts";

export const DETAIL_CHARS = 1_000;
export const QUOTE_CHARS = 200;
const COMMAND_CHARS = 300;

/** Whether a required check did not pass. */
export const isFailing = ({ is, optional }: CheckResult): boolean => is !== "pass" && !optional;

const openFindings = ({ findings = [] }: CheckResult): readonly Finding[] =>
  findings.filter(({ is }) => is !== "proved");

/** For each result its output, or the command under which the prompt already shows the same output. */
type Outputs = ReadonlyMap<CheckResult, { text: string } | { as: string }>;

/** Equal outputs are shown once, and so is the output of a command that failed both as a guardrail and as a check. */
export function outputsOf(guards: readonly CheckResult[], checks: readonly CheckResult[]): Outputs {
  const first = new Map<string, string>();
  const outputs = new Map<CheckResult, { text: string } | { as: string }>();
  const guarded = new Set(guards.filter(isFailing).map(({ command }) => command));
  for (const result of [...guards, ...checks].filter(isFailing)) {
    const text = result.excerpt.trim();
    const again = guarded.has(result.command) && !guards.includes(result);
    const as = again ? result.command : first.get(text);
    outputs.set(result, text !== "" && as !== undefined ? { as } : { text });
    if (!first.has(text)) first.set(text, result.command || result.name);
  }
  return outputs;
}

/** A failing guardrail, at the position its settings ask for. */
export function guardPiece(
  result: CheckResult,
  guardrail: Guardrail | undefined,
  n: number,
  outputs: Outputs,
): Piece[] {
  if (result.is === "pass") return [];
  const { failAction: action = "APPEND", hint = null } = guardrail ?? {};
  const head = `Guardrail failed after iteration ${n}.\n`;
  const say = (room: Room): Said => {
    const { text, log } = described(result, room, outputs);
    const advice = hint === null ? "" : `\n\nHint: ${room.line >= hint.length ? hint : lineIn(room, hint)}`;
    return { text: head + text + advice, ...(log ? { log: { ...log, at: head.length + log.at } } : {}) };
  };
  return [{ action, say }];
}

/** The required checks that do not pass. For a judge, its findings say what is missing. */
export const failingChecks = (verdict: Verdict | null, outputs: Outputs): Piece[] =>
  refused(verdict)
    .filter((check) => isFailing(check) && openFindings(check).length === 0)
    .map((check) => ({ action: "APPEND", say: (room) => described(check, room, outputs) }));

const refused = (verdict: Verdict | null): readonly CheckResult[] =>
  verdict && verdict.is !== "pass" ? verdict.checks : [];

const SINCE: Partial<Record<NonNullable<CheckResult["since"]>, string>> = {
  regressed: " (regressed: it passed before your work)",
  "still failing": " (still failing: it failed before your work too)",
};

function described(result: CheckResult, room: Room, outputs: Outputs): Said {
  const { name, command, reason, since, log } = result;
  const facts = [
    `Command: ${lineIn(room, command || name, COMMAND_CHARS)}`,
    `Result: ${lineIn(room, reason, DETAIL_CHARS)}${(since && SINCE[since]) ?? ""}`,
  ].join("\n");
  if (result.sealed) return { text: facts };
  const text = [facts, ...outputLines(outputs.get(result) ?? { text: "" }, room)].join("\n");
  return { text, ...(log && hasLogRoom(room) ? { log: { path: log, at: facts.length } } : {}) };
}

function outputLines(output: { text: string } | { as: string }, room: Room): string[] {
  if ("as" in output) return [`Output: the same as that of ${lineIn(room, output.as, COMMAND_CHARS)}`];
  if (output.text === "") return ["It printed nothing."];
  const text = outputIn(room, output.text);
  return text === "" ? [] : [`Output:\n${text}`];
}

/** Criteria that a judge considers unproven, unless the list of acceptance criteria shows them. */
export function findings(verdict: Verdict | null, { proof }: LoopSpec): Piece[] {
  const open = refused(verdict)
    .filter(isFailing)
    .flatMap(openFindings)
    .filter(({ criterion }) => !proof.acceptance.includes(criterion));
  if (open.length === 0) return [];
  return [
    appendedPiece((room) =>
      [
        "Judged, but not proved:",
        ...open.map(
          (finding) =>
            `- ${lineIn(room, finding.criterion)}: ${lineIn(room, findingWords(finding), DETAIL_CHARS + QUOTE_CHARS)}`,
        ),
      ].join("\n"),
    ),
  ];
}

/** Failed checks that only warn, in short. */
export function warnings(verdict: Verdict | null): Piece[] {
  const optional = refused(verdict).filter(({ is, optional }) => is !== "pass" && optional);
  if (optional.length === 0) return [];
  return [
    appendedPiece((room) =>
      [
        "Warnings, which do not prevent completion:",
        ...optional.map(
          ({ name, command, reason }) =>
            `- ${lineIn(room, command || name, COMMAND_CHARS)}: ${lineIn(room, reason, COMMAND_CHARS)}`,
        ),
      ].join("\n"),
    ),
  ];
}

import { printable } from "../ansi.ts";
import { shorten } from "../excerpt.ts";
import type { CheckResult, Finding } from "../loop/events.ts";
import type { Judgement } from "../schema/judgement.ts";
import type { Section } from "./question.ts";

const QUOTE_CHARS = { least: 8, kept: 300 };
const REASON_CHARS = 400;
const SHOWN_CHARS = 120;

type Answer = Pick<CheckResult, "is" | "reason" | "excerpt" | "findings">;

/** The result of a judge's answer; null if it does not answer every criterion exactly once. */
export function verdictOn(
  criteria: readonly string[],
  { findings: given }: Judgement,
  sections: readonly Section[],
): Answer | null {
  const numbers = given.map(({ criterion }) => criterion).sort((a, b) => a - b);
  if (numbers.length !== criteria.length || numbers.some((number, i) => number !== i + 1)) return null;
  const occurs = quoteFinder(sections);
  const findings = criteria.map((criterion, i): Finding => {
    const { is = "missing", quote = "", reason = "" } = given.find((one) => one.criterion === i + 1) ?? {};
    const said = { criterion, quote: shorten(printable(quote), QUOTE_CHARS.kept), reason: oneLine(reason) };
    if (is !== "proved" || occurs(quote)) return { ...said, is };
    return { ...said, is: "unknown", reason: "the judge called it proved with a quote that is not in the evidence" };
  });
  return { ...answerOf(findings), findings, excerpt: findings.map(lineOf).join("\n") };
}

const oneLine = (text: string): string => shorten(printable(text), REASON_CHARS);

/** An unmet criterion is a failure; if only the judge's quotes are unsound, the result is unknown. */
function answerOf(findings: readonly Finding[]): Pick<CheckResult, "is" | "reason"> {
  const open = findings.filter(({ is }) => is !== "proved");
  const count = `${findings.length - open.length} of ${findings.length} criteria proved`;
  const reason = [count, ...open.map(({ is, criterion }) => `${is}: ${quoted(criterion)}`)].join("; ");
  if (open.length === 0) return { is: "pass", reason };
  return { is: open.some(({ is }) => is !== "unknown") ? "fail" : "unknown", reason };
}

const quoted = (text: string): string => `"${shorten(text, SHOWN_CHARS)}"`;

const lineOf = ({ is, criterion, reason, quote }: Finding, i: number): string =>
  [
    `${i + 1}. ${is}: ${shorten(criterion, SHOWN_CHARS)}`,
    ...(reason ? [`   ${reason}`] : []),
    ...(is === "proved" ? [`   evidence: ${quote}`] : []),
  ].join("\n");

/** Whether a quote occurs in the evidence that counts. Line breaks and diff marks are ignored. */
function quoteFinder(sections: readonly Section[]): (quote: string) => boolean {
  const proof = sections.filter(({ proves }) => proves).map(({ text }) => text);
  const places = [...proof, ...proof.map(unmarked)].map(bare);
  return (quote) => {
    const wanted = [bare(quote), bare(unmarked(quote))].filter(({ length }) => length >= QUOTE_CHARS.least);
    return wanted.some((text) => places.some((place) => place.includes(text)));
  };
}

const bare = (text: string): string => text.replace(/\s+/g, " ").trim();
const unmarked = (text: string): string => text.replace(/^[+ ]/gm, "");

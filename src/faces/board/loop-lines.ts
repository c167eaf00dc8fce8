import { dollars } from "../../core/usage.ts";
import { agentWords, liveWords, runningWords } from "../../core/view/clock.ts";
import type { CheckLine, LoopPage, Phase, TimelineItem } from "../../core/view/loop-page.ts";
import { TONE_MARKS } from "../../core/view/marks.ts";
import { wrapCells } from "../terminal/cells.ts";
import { paintTone } from "../terminal/paint.ts";
import { bold, criterionText, dim, inverse, labelled } from "./style.ts";

interface Drawn {
  width: number;
  nowMs: number;
}

/** A loop with its iterations; one of them is open. */
export function loopLines(page: LoopPage, open: number, { width, nowMs }: Drawn) {
  const head = headLines(page, nowMs);
  const lines = wrappedLines(head, width);
  let cursor: number | null = null;
  page.timeline.forEach((item, i) => {
    const isOpen = i === open;
    if (isOpen) cursor = lines.length;
    const more = isOpen ? wrappedLines(itemLines(item), width) : [];
    lines.push(itemLine(item, isOpen, nowMs), ...more);
  });
  if (page.baseline) lines.push("", bold("Before the work"), ...wrappedLines(page.baseline.flatMap(checkLines), width));
  return { lines, cursor };
}

const wrappedLines = (lines: readonly string[], width: number): string[] =>
  lines.flatMap((line) => wrapCells(line, width).split("\n"));

function headLines(page: LoopPage, nowMs: number): string[] {
  const { line, ended, decides, decided, next, criteria, weak, damage, earlier, timeline } = page;
  const now = liveWords(line, nowMs);
  const facts = [line.door, agentWords(line), line.costUsd > 0 ? dollars(line.costUsd) : "", `${line.tokens} tokens`];
  return [
    facts.filter(Boolean).join(dim(" · ")),
    ...(line.driven && now.text ? [paintTone(now.tone, now.text)] : []),
    ...(ended ? [paintTone(line.tone, ended)] : []),
    ...labelled(decides, decided),
    ...labelled("next", next && bold(next)),
    ...(damage ? [paintTone("bad", damage)] : []),
    ...weak.map((one) => paintTone("warn", `weakened: ${one}`)),
    ...criteria.map(criterionText),
    "",
    `${bold("Iterations")}  ${dim("claim → guards → guardrails → verdict")}`,
    ...(earlier > 0 ? [dim(`  … ${earlier} earlier: ralph why ${line.id}`)] : []),
    ...(timeline.length === 0 ? [dim("  none yet")] : []),
  ];
}

const NAMES = ["claim", "guards", "guardrails", "verdict"] as const;

const markOf = (phase: Phase | undefined): string => (phase ? paintTone(phase.tone, TONE_MARKS[phase.tone]) : dim("·"));

/** `▾ 3  ✓→✓→✗→·  5m 23s  $0.40  claude  what it decided`. */
function itemLine(item: TimelineItem, isOpen: boolean, nowMs: number): string {
  const phases = NAMES.map((name) => markOf(item.phases.find((phase) => phase.name === name))).join(dim("→"));
  const name = `${isOpen ? "▾" : "▸"} ${String(item.n).padStart(2)}${item.attempt > 1 ? `.${item.attempt}` : ""} `;
  const time = runningWords(item.beganMs, item.endedMs ?? nowMs).padStart(7);
  const facts = [
    phases,
    item.endedMs === null ? paintTone("active", time) : time,
    (item.costUsd > 0 ? dollars(item.costUsd) : "").padStart(6),
    (item.proved ? `${item.proved.proved}/${item.proved.of}` : "").padEnd(4),
    paintTone(item.tone, item.decision),
  ];
  return `${isOpen ? inverse(bold(name)) : name} ${facts.join("  ")}`;
}

function itemLines({ phases, effects, agent, model, tokens }: TimelineItem): string[] {
  return [
    dim(`     ${agentWords({ agent, model })}, ${tokens} tokens`),
    ...phases.flatMap(({ name, tone, words, details, checks }) => [
      `     ${bold(name.padEnd(11))}${paintTone(tone, words)}`,
      ...details.map((detail) => `                ${detail}`),
      ...checks.flatMap(checkLines),
    ]),
    ...effects.map(({ tone, words }) => `     ${bold("effect".padEnd(11))}${paintTone(tone, words)}`),
  ];
}

/** The end of its output is below it, if it failed. */
const EXCERPT_LINES = 12;

function checkLines({ name, command, tone, words, since, tests, failing, findings, excerpt }: CheckLine): string[] {
  const facts = [since, tests].filter(Boolean).join(", ");
  const output = tone === "bad" ? excerpt.split("\n").filter(Boolean).slice(-EXCERPT_LINES) : [];
  return [
    `                ${paintTone(tone, TONE_MARKS[tone])} ${name}: ${paintTone(tone, words)}${facts ? dim(` (${facts})`) : ""}`,
    ...(command && command !== name ? [dim(`                  $ ${command}`)] : []),
    ...failing.map((test) => `                  ${paintTone("bad", test)}`),
    ...findings.map((finding) => `                  ${finding}`),
    ...output.map((line) => dim(`                  │ ${line}`)),
  ];
}

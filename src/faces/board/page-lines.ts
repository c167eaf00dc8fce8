import { printableText } from "../../core/ansi.ts";
import { dollars } from "../../core/usage.ts";
import { agentWords, ageWords, clockTime, liveWords, runningWords } from "../../core/view/clock.ts";
import { STAGE_MARKS } from "../../core/view/marks.ts";
import type { TaskPage } from "../../core/view/task-page.ts";
import { cellsOf, wrapCells } from "../terminal/cells.ts";
import { paintTone } from "../terminal/paint.ts";
import { KEYS } from "./key-table.ts";
import { loopLines } from "./loop-lines.ts";
import { openItem, type Page, type TaskExtras } from "./page.ts";
import { bold, criterionText, dim, labelled } from "./style.ts";

export interface PageLines {
  lines: readonly string[];
  /** The line that has to stay visible. */
  cursor: number | null;
}

interface Drawn {
  columns: number;
  nowMs: number;
}

/** The lines of a page, as wide as the screen. */
export function pageLines(page: Page, { columns, nowMs }: Drawn): PageLines {
  const width = columns - 2;
  switch (page.is) {
    case "help":
      return { lines: wrapped(helpLines(), width), cursor: null };
    case "task":
      return { lines: page.page ? wrapped(taskLines(page.page, nowMs), width) : READING, cursor: null };
    case "loop":
      return page.page ? loopLines(page.page, openItem(page), { width, nowMs }) : { lines: READING, cursor: null };
    case "text":
      if (!page.lines) return { lines: READING, cursor: null };
      // A diff is cut: its columns mean something.
      return { lines: page.kind === "diff" ? page.lines : wrappedOnce(page.lines, width), cursor: null };
  }
}

const READING = [dim("reading…")];

const known = new WeakMap<readonly string[], { width: number; lines: readonly string[] }>();

/** Long texts are only wrapped again for another width. */
function wrappedOnce(lines: readonly string[], width: number): readonly string[] {
  const before = known.get(lines);
  if (before?.width === width) return before.lines;
  const found = { width, lines: wrapped(lines, width) };
  known.set(lines, found);
  return found.lines;
}

export const wrapped = (lines: readonly string[], width: number): readonly string[] =>
  lines.flatMap((line) => (line.length <= width ? [line] : wrapCells(line, width).split("\n")));

function helpLines(): string[] {
  const width = Math.max(...KEYS.map(([keys]) => cellsOf(keys)));
  return [
    ...KEYS.map(([keys, does]) => `${bold(keys)}${" ".repeat(width - cellsOf(keys) + 3)}${does}`),
    "",
    dim("Lanes: a card shows its id, cost and age, its title, and what it does, with its proved criteria: 5/7."),
    dim("The guide is docs/board.md; `ralph board --help` shows the options."),
  ];
}

function taskLines(page: TaskPage & TaskExtras, nowMs: number): string[] {
  const { card, outcome, decides, decided, next } = page;
  const now = liveWords(card, nowMs);
  const facts = [
    paintTone(card.tone, card.badge),
    `spec ${card.spec}`,
    `priority ${card.priority}`,
    ...(card.costUsd > 0 ? [dollars(card.costUsd)] : []),
    ...(card.agent ? [agentWords(card)] : []),
    ...(card.driven ? [`running ${runningWords(card.sinceMs, nowMs)}`] : [`for ${ageWords(card.sinceMs, nowMs)}`]),
  ];
  return [
    facts.join(dim(" · ")),
    ...(card.driven && now.text ? [paintTone(now.tone, now.text)] : []),
    ...labelled("outcome", outcome),
    ...labelled(decides, decided),
    ...(card.why && !outcome.includes(card.why) && !decided.includes(card.why) ? [paintTone(card.tone, card.why)] : []),
    ...labelled("next", next && bold(next)),
    ...block("Acceptance criteria", page.criteria.map(criterionText)),
    ...block("Stages", page.stages.flatMap(stageLines)),
    ...block("Live output", page.tail),
    ...block("Changes", page.stat),
    ...block("History", historyLines(page, nowMs)),
    ...block("Work", workLines(page)),
    ...block(
      "Description",
      printableText(page.description)
        .split("\n")
        .filter((line, i) => i > 0 || line.trim() !== ""),
    ),
  ];
}

function historyLines({ history, earlier, card }: TaskPage, nowMs: number): string[] {
  const times = history.map(({ atMs }) => clockTime(atMs, nowMs));
  const width = Math.max(0, ...times.map((time) => time.length));
  return [
    ...(earlier > 0 ? [dim(`… ${earlier} earlier: ralph why ${card.id}`)] : []),
    ...history.flatMap(({ tone, words, details }, i) => [
      `${dim((times[i] ?? "").padEnd(width))}  ${paintTone(tone, words)}`,
      ...details.map((detail) => `${" ".repeat(width + 4)}${dim(detail)}`),
    ]),
  ];
}

function stageLines({
  title,
  is,
  tone,
  words,
  method,
  promise,
  maxIterations,
  checks,
}: TaskPage["stages"][number]): string[] {
  const limit = maxIterations === null ? "" : `, at most ${maxIterations} iterations`;
  const head = `${paintTone(tone, STAGE_MARKS[is])} ${bold(title)}${words ? `  ${paintTone(tone, words)}` : ""}`;
  // The indentation is outside the colour, so that it is kept where a line is broken.
  return [
    head,
    ...[`${method}: ${promise}${limit}`, ...checks.map((check) => `$ ${check}`)].map((line) => `    ${dim(line)}`),
  ];
}

function workLines({ branch, target, worktree, merged, dependencies, followups, weak }: TaskPage): string[] {
  const rows: [string, string][] = [
    ["branch", branch ? `${branch}${target ? ` for ${target}` : ""}` : ""],
    ["worktree", worktree ?? ""],
    ["merged", merged ?? ""],
    ["depends on", dependencies.map(({ id, status }) => `${id} (${status})`).join(", ")],
    ["follow-ups", followups.join(", ")],
    ["weakened", weak.join("; ")],
  ];
  return rows.filter(([, value]) => value !== "").map(([name, value]) => `${dim(name.padEnd(11))}${value}`);
}

const block = (head: string, lines: readonly string[]): string[] =>
  lines.length > 0 ? ["", bold(head), ...lines.map((line) => `  ${line}`)] : [];

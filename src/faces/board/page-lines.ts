import { printableText } from "../../core/ansi.ts";
import { dollars } from "../../core/usage.ts";
import { ageWords, clockWords, nowWords, runningWords } from "../../core/view/clock.ts";
import type { Tone } from "../../core/view/lanes.ts";
import type { TaskPage } from "../../core/view/task-page.ts";
import { cellsOf, wrapCells } from "../terminal/cells.ts";
import { paintTone } from "../terminal/paint.ts";
import { KEYS } from "./key-table.ts";
import { loopLines } from "./loop-lines.ts";
import type { Page, TaskExtras } from "./page.ts";
import { bold, dim, labelled } from "./style.ts";

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
      return page.page
        ? loopLines(page.page, page.item ?? page.page.timeline.length - 1, { width, nowMs })
        : { lines: READING, cursor: null };
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

const MARKS = { proved: ["good", "✓"], failing: ["bad", "✗"], open: ["dim", "○"] } as const;
const STAGE_MARKS: Readonly<Record<TaskPage["stages"][number]["is"], string>> = {
  passed: "✓",
  failed: "✗",
  running: "▸",
  next: "○",
  skipped: "–",
};

function taskLines(page: TaskPage & TaskExtras, nowMs: number): string[] {
  const { card, outcome, decided, next } = page;
  const now = nowWords(card, nowMs);
  const facts = [
    paintTone(card.tone, card.badge),
    `spec ${card.spec}`,
    `priority ${card.priority}`,
    ...(card.costUsd > 0 ? [dollars(card.costUsd)] : []),
    ...(card.agent ? [[card.agent, card.model ?? ""].filter(Boolean).join(" ")] : []),
    ...(card.driven ? [`running ${runningWords(card.sinceMs, nowMs)}`] : [`for ${ageWords(card.sinceMs, nowMs)}`]),
  ];
  return [
    facts.join(dim(" · ")),
    ...(card.driven && now.text ? [paintTone(now.tone, now.text)] : []),
    ...labelled("outcome", outcome),
    ...labelled(
      card.lane === "done" || card.lane === "blocked" || card.lane === null ? "decided" : "decides next",
      decided,
    ),
    ...(card.why && !outcome.includes(card.why) && !decided.includes(card.why) ? [paintTone(card.tone, card.why)] : []),
    ...labelled("next", next && bold(next)),
    ...block(
      "Acceptance criteria",
      page.criteria.map(({ text, is, why }) => {
        const [tone, mark] = MARKS[is];
        return `${paintTone(tone, mark)} ${text}${why ? dim(` (${why})`) : ""}`;
      }),
    ),
    ...block("Stages", page.stages.flatMap(stageLines)),
    ...block(
      "Live output",
      page.tail.map((line) => line),
    ),
    ...block("Changes", page.stat),
    ...block(
      "History",
      page.history.map(({ atMs, tone, words }) => `${dim(clockWords(atMs))}  ${paintTone(tone, words)}`),
    ),
    ...block("Work", workLines(page)),
    ...block(
      "Description",
      printableText(page.description)
        .split("\n")
        .filter((line, i) => i > 0 || line.trim() !== ""),
    ),
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

export const block = (head: string, lines: readonly string[], tone: Tone = "plain"): string[] =>
  lines.length > 0 ? ["", bold(paintTone(tone, head)), ...lines.map((line) => `  ${line}`)] : [];

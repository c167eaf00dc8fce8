import type { Size } from "../terminal/alternate-screen.ts";
import { cellsOf, fitCells, padCells, wrapCells } from "../terminal/cells.ts";
import type { Row } from "../terminal/frame.ts";
import { paintTone } from "../terminal/paint.ts";
import { boardRows } from "./board-rows.ts";
import { diffLine } from "./diff-line.ts";
import type { Page } from "./page.ts";
import { pageLines } from "./page-lines.ts";
import { type BoardState, cardsIn } from "./state.ts";
import { at, bold, dim, inverse } from "./style.ts";

/** The board is not drawn on a smaller screen. */
export const LEAST: Size = { columns: 60, rows: 16 };

/** Everything that the screen shows. */
export function frame(state: BoardState, size: Size): Row[] {
  const { columns, rows } = size;
  const drawn = isLarge(size) ? drawnRows(state, size) : smallRows(size);
  return Array.from({ length: rows }, (_, y): Row => (drawn[y] ?? []).filter(({ column }) => column < columns));
}

const isLarge = ({ columns, rows }: Size): boolean => columns >= LEAST.columns && rows >= LEAST.rows;

const smallRows = ({ columns, rows }: Size): Row[] =>
  [
    `This terminal is too small: ${columns}x${rows}.`,
    `The board needs at least ${LEAST.columns}x${LEAST.rows}.`,
    "Make the window larger, or press q.",
  ].map((line) => [at(0, fitCells(line, columns))]);

function drawnRows(state: BoardState, size: Size): Row[] {
  const page = state.pages.at(-1);
  const main = page ? pageRows(state, page, size) : boardRows(state, size);
  const above = [...main, ...Array.from({ length: size.rows }, (): Row => [])].slice(0, size.rows - 1);
  const asked = questionRows(state, size);
  const last = asked.length > 0 ? asked : lastRows(state, size);
  return [...above.slice(0, Math.max(0, size.rows - last.length)), ...last];
}

/** How many lines of a page are shown, below its title. */
export const pageHeight = ({ rows }: Size): number => rows - 3;

function pageRows(state: BoardState, page: Page, size: Size): Row[] {
  const { lines, cursor } = pageLines(page, { columns: size.columns, nowMs: state.nowMs });
  const height = pageHeight(size);
  const top = topOf(page, { count: lines.length, height, cursor });
  const isDiff = page.is === "text" && page.kind === "diff";
  const shown = lines.slice(top, top + height).map((line) => (isDiff ? diffLine(line) : line));
  const rest = lines.length - top - height;
  const place =
    lines.length > height ? ` ${rest > 0 ? Math.round(((top + height) / lines.length) * 100) : 100} % ` : "";
  const title = padCells(` ${titleOf(page)}`, size.columns - cellsOf(place));
  return [
    [at(0, inverse(bold(title + place)))],
    [],
    ...shown.map((line): Row => [at(1, fitCells(line, size.columns - 2))]),
  ];
}

interface Extent {
  count: number;
  height: number;
  cursor: number | null;
}

/** The first line that is shown. A page that follows its end stays there; others begin at their cursor, if they have one. */
export function topOf(page: Page, { count, height, cursor }: Extent): number {
  const last = Math.max(0, count - height);
  if (page.is === "text" && page.follows) return last;
  return Math.max(0, Math.min(anchorOf({ count, height, cursor }) + page.top, last));
}

/** Where a page is scrolled from: the line with its cursor is in the upper part, and what is open is below it. */
export const anchorOf = ({ count, height, cursor }: Extent): number =>
  cursor === null || cursor < height / 2 ? 0 : Math.max(0, Math.min(cursor - Math.floor(height / 3), count - height));

const TEXT_TITLES = { output: "Output of", diff: "Changes of", why: "Why:", worktree: "Worktree of" } as const;

function titleOf(page: Page): string {
  switch (page.is) {
    case "help":
      return "Keys";
    case "task":
      return [`Task ${page.id}`, page.page?.card.title ?? ""].filter(Boolean).join(" · ");
    case "loop":
      return [`Loop ${page.id}`, page.page?.line.title ?? ""].filter(Boolean).join(" · ");
    case "text":
      return `${TEXT_TITLES[page.kind]} ${page.of} ${page.id}`;
  }
}

/** A question, above everything else. */
function questionRows({ question }: BoardState, { columns }: Size): Row[] {
  if (!question) return [];
  const answers = question.choices.map(({ key, label }) => `${inverse(` ${question.sure ? "y" : key} `)} ${label}`);
  // What is stopped is never cut.
  const lines = answers.flatMap((line) =>
    wrapCells(line, columns - 6)
      .split("\n")
      .map((part, i) => (i > 0 ? `    ${part}` : part)),
  );
  return [
    [at(0, paintTone("warn", "━".repeat(columns)))],
    [at(1, bold(fitCells(question.title, columns - 2)))],
    ...lines.map((line): Row => [at(1, fitCells(line, columns - 2))]),
    [at(1, dim("any other key: go back"))],
  ];
}

type Hint = readonly [key: string, does: string];

const WORK: readonly Hint[] = [
  ["t", "output"],
  ["w", "why"],
  ["d", "diff"],
  ["c", "cancel"],
];
const END: readonly Hint[] = [
  ["?", "help"],
  ["q", "quit"],
];
const HINTS: Readonly<Record<Page["is"], readonly Hint[]>> = {
  help: [
    ["Esc", "back"],
    ["q", "quit"],
  ],
  task: [["Esc", "back"], ["Enter", "loop"], ...WORK, ["r", "retry"], ["o", "worktree"], ...END],
  loop: [["Esc", "back"], ["↑↓", "iteration"], ["PgUp PgDn", "page"], ...WORK, ...END],
  text: [["Esc", "back"], ["↑↓", "line"], ["PgUp PgDn", "page"], ["g G", "ends"], ...END],
};

/** A longer message is cut. */
const MESSAGE_LINES = 3;

/** What is typed, what became of a key, or the keys. */
function lastRows(state: BoardState, { columns }: Size): Row[] {
  const { message, typing, filter, pages } = state;
  const width = columns - 2;
  if (typing) {
    const found = `${cardsIn(state).length} of ${cardsIn({ ...state, filter: "" }).length} tasks`;
    const help = dim(`${found} · Enter keeps it · Esc clears it`);
    return [[at(1, fitCells(`${bold("/")}${filter}${inverse(" ")}  ${help}`, width))]];
  }
  // Its end says what to do next.
  if (message) return messageLines(message.text, width).map((line): Row => [at(1, paintTone(message.tone, line))]);
  const page = pages.at(-1);
  return [[at(1, hintsThatFit(page ? HINTS[page.is] : boardHints(state), width))]];
}

function messageLines(text: string, width: number): string[] {
  const lines = wrapCells(text, width).split("\n");
  const rest = lines.slice(MESSAGE_LINES - 1).join(" ");
  return [...lines.slice(0, MESSAGE_LINES - 1), ...(rest ? [rest] : [])].map((line) => fitCells(line, width));
}

const boardHints = ({ filter }: BoardState): readonly Hint[] => [
  ["Enter", "open"],
  filter === "" ? ["/", "filter"] : ["Esc", "clear"],
  ["Tab", "agents"],
  ...WORK,
  ["r", "retry"],
  ["o", "worktree"],
  ...END,
];

/** As many hints as fit; the last two, for help and quitting, are always shown. */
function hintsThatFit(hints: readonly Hint[], cells: number): string {
  const all = [...hints];
  const shown = (paintKey: (text: string) => string, paintWord: (text: string) => string) =>
    all.map(([key, does]) => `${paintKey(key)} ${paintWord(does)}`).join("  ");
  while (all.length > 2 && cellsOf(shown(String, String)) > cells) all.splice(-3, 1);
  return shown(bold, dim);
}

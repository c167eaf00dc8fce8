import { dollars } from "../../core/usage.ts";
import { type AgentRow, agentRows, busyWords, mergeQueueWords } from "../../core/view/agent-rows.ts";
import { progressOf } from "../../core/view/card.ts";
import { agentWords, liveWords, runningWords } from "../../core/view/clock.ts";
import type { Size } from "../terminal/alternate-screen.ts";
import { fitCells } from "../terminal/cells.ts";
import type { Row, Segment } from "../terminal/frame.ts";
import { paintTone } from "../terminal/paint.ts";
import { boxRows } from "./card-box.ts";
import type { BoardState } from "./state.ts";
import { at, bold, dim, inverse } from "./style.ts";

/** From this many rows on, slots are drawn in boxes. */
const BOX_SCREEN = 36;
const BOX_WIDTH = 38;
const BOX_LINES = 6;
/** Below this many rows, the panel takes one line while it is not used. */
const SMALL_SCREEN = 30;

/** How many rows the panel takes, with its title. */
export function panelHeight(state: BoardState, { rows }: Size): number {
  const count = agentRows(state.view).length;
  if (count === 0) return 2;
  if (rows >= BOX_SCREEN) return 1 + BOX_LINES + 2;
  if (state.zone === "agents") return 1 + Math.min(count, Math.floor(rows / 3));
  return 1 + Math.min(count, rows < SMALL_SCREEN ? 1 : Math.floor(rows / 6));
}

/** The agents: slots with their tasks, loops outside tasks, and the merge queue. */
export function panelRows(state: BoardState, size: Size): Row[] {
  const entries = agentRows(state.view);
  const title = titleRow(state, size);
  if (entries.length === 0) {
    const hint = "No agent is running. `ralph execute` runs tasks, `ralph run` a loop.";
    return [title, [at(1, dim(fitCells(hint, size.columns - 2)))]];
  }
  const height = panelHeight(state, size) - 1;
  if (size.rows >= BOX_SCREEN) return [title, ...boxesOf(state, entries, size)];
  if (height === 1 && entries.length > 1 && state.zone === "lanes") return [title, shortRow(state, entries, size)];
  const first = windowStart(state.entry, entries.length, height);
  const shown = entries.slice(first, first + height);
  return [title, ...shown.map((entry, i) => lineOf(state, entry, { index: first + i, columns: size.columns }))];
}

/** The first of a window of `fit` places that has the cursor near its middle. */
export const windowStart = (cursor: number, count: number, fit: number): number =>
  Math.max(0, Math.min(cursor - Math.floor(fit / 2), count - fit));

function titleRow({ view, zone, entry }: BoardState, { columns, rows }: Size): Row {
  const { length } = agentRows(view);
  const fit = rows >= BOX_SCREEN ? boxesThatFit(columns, length) : length;
  const first = windowStart(entry, length, fit);
  const part = fit < length ? ` (${first + 1}–${first + fit} of ${length})` : "";
  const name = ` Agents ${busyWords(view)}${part} `;
  const merging = mergeQueueWords(view);
  const right = merging === "" ? "" : ` ${fitCells(merging, columns - name.length - 10)} `;
  const row: Segment[] = [at(0, dim("─".repeat(columns))), at(2, zone === "agents" ? inverse(bold(name)) : bold(name))];
  return right === "" ? row : [...row, at(columns - right.length - 2, paintTone("active", right))];
}

interface Facts {
  head: string;
  task: string;
  title: string;
  badge: string;
  running: string;
  agent: string;
  spent: string;
  now: ReturnType<typeof liveWords>;
  progress: string;
}

/** What an entry says, in words. */
function factsOf(entry: AgentRow, nowMs: number): Facts | null {
  if (entry.is === "loop") {
    const { loop } = entry;
    const { id, title, run } = loop;
    const now = liveWords(loop, nowMs);
    return {
      head: run ? `Run ${run.run}: ${run.part}` : `Loop ${id}`,
      task: id,
      title,
      badge: paintTone(loop.tone, loop.badge),
      running: loop.driven ? runningWords(loop.createdMs, nowMs) : "",
      ...workOf(loop),
      now: loop.driven ? now : { text: loop.why, tone: "warn" },
    };
  }
  const { card } = entry;
  if (!card) return null;
  return {
    head: `${entry.is === "slot" ? `Slot ${entry.n}` : "Task"}: ${card.place ?? "starting"}`,
    task: card.id,
    title: card.title,
    badge: paintTone(card.tone, card.badge),
    running: runningWords(entry.sinceMs ?? card.sinceMs, nowMs),
    ...workOf(card),
    now: liveWords(card, nowMs),
  };
}

interface Work {
  agent: string;
  model: string | null;
  costUsd: number;
  iteration: number;
  maxIterations: number | null;
  proved: { proved: number; of: number } | null;
}

function workOf(work: Work): Pick<Facts, "agent" | "spent" | "progress"> {
  const criteria = work.proved ? ` · ${work.proved.proved}/${work.proved.of} proved` : "";
  return {
    agent: agentWords(work),
    spent: work.costUsd > 0 ? dollars(work.costUsd) : "",
    progress: `iteration ${progressOf(work)}${criteria}`,
  };
}

interface Line {
  index: number;
  columns: number;
}

/** One line: its columns begin at the same place in every line. */
function lineOf(state: BoardState, entry: AgentRow, { index, columns }: Line): Row {
  const selected = state.zone === "agents" && index === state.entry;
  const mark = (text: string) => (selected ? inverse(bold(text)) : bold(text));
  const facts = factsOf(entry, state.nowMs);
  if (!facts) return [at(1, mark(`${slotName(entry)} `)), at(4, dim("free"))];
  const wide = columns >= 110;
  const widths = wide ? [14, 22, 9, 24] : [11, 19, 8, 15];
  const [id = 0, badge = 0, running = 0, agent = 0] = widths;
  const xs = [4, 4 + id, 4 + id + badge, 4 + id + badge + running, 4 + id + badge + running + agent];
  const cell = (i: number, text: string) =>
    at(xs[i] ?? 0, fitCells(text, (xs[i + 1] ?? columns - 1) - (xs[i] ?? 0) - 1));
  return [
    at(1, mark(slotName(entry))),
    cell(0, mark(facts.task)),
    cell(1, facts.badge),
    cell(2, facts.running),
    cell(3, facts.agent),
    cell(4, paintTone(facts.now.tone, facts.now.text || facts.title)),
  ];
}

const slotName = (entry: AgentRow): string => (entry.is === "slot" ? String(entry.n) : entry.is === "loop" ? "↻" : "·");

/** Several entries on one line, for a small screen. */
function shortRow(state: BoardState, entries: readonly AgentRow[], { columns }: Size): Row {
  const width = 30;
  const fit = Math.max(1, Math.floor((columns - 12) / width));
  const shown = entries.slice(0, fit).map((entry, i) => {
    const facts = factsOf(entry, state.nowMs);
    const text = facts ? `${bold(facts.task)} ${facts.badge}` : dim("free");
    return at(1 + i * width, fitCells(`${dim(slotName(entry))} ${text}`, width - 1));
  });
  const more = entries.length - fit;
  return more > 0 ? [...shown, at(columns - 11, dim(fitCells(`+${more}: Tab`, 11)))] : shown;
}

const boxesThatFit = (columns: number, count: number): number =>
  Math.max(1, Math.min(Math.floor((columns + 1) / (BOX_WIDTH + 1)), count));

/** Boxes side by side, as the document draws them. */
function boxesOf(state: BoardState, entries: readonly AgentRow[], { columns }: Size): Row[] {
  const most = boxesThatFit(columns, Number.POSITIVE_INFINITY);
  const places = Math.min(most, entries.length);
  const first = windowStart(state.entry, entries.length, places);
  const width = Math.floor((columns - (most - 1)) / most);
  const rows: Segment[][] = Array.from({ length: BOX_LINES + 2 }, () => []);
  entries.slice(first, first + places).forEach((entry, i) => {
    const selected = state.zone === "agents" && first + i === state.entry;
    const box = boxRows({ x: i * (width + 1), width, selected }, boxLines(state, entry, width - 4));
    box.forEach((row, y) => {
      rows[y]?.push(...row);
    });
  });
  return rows;
}

function boxLines(state: BoardState, entry: AgentRow, inner: number): [string, string][] {
  const facts = factsOf(entry, state.nowMs);
  if (!facts) {
    const free: [string, string][] = [[bold(`Slot ${slotName(entry)}: free`), ""]];
    return [...free, ...Array.from({ length: BOX_LINES - 1 }, (): [string, string] => ["", ""])];
  }
  const name = `${facts.task} ${dim(facts.title)}`;
  return [
    [bold(facts.head), dim(facts.spent)],
    [`  ${entry.is === "loop" ? dim(facts.title) : `Task: ${fitCells(name, inner - 8)}`}`, ""],
    [`  Ralph: ${facts.progress}`, ""],
    [facts.running && `  Running: ${facts.running}`, ""],
    [`  ${facts.agent}`, ""],
    [`  ${paintTone(facts.now.tone, facts.now.text)}`, ""],
  ];
}

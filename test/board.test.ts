import { readFileSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { KEYS } from "../src/faces/board/key-table.ts";
import { type InProcessSandbox, inProcess } from "./support/in-process.ts";
import type { Finished } from "./support/sandbox.ts";
import { ralphScreen, type Widths } from "./support/screen.ts";

test("the keys in the guide are those of the help screen", () => {
  const guide = readFileSync("docs/board.md", "utf8");
  const [, table = ""] = /## Keys\n\n[^\n]+\n[^\n]+\n([\s\S]*?)\n\n/.exec(guide) ?? [];
  const rows = KEYS.map(
    ([keys, does]) =>
      `| ${keys
        .split(" ")
        .map((key) => `\`${key}\``)
        .join(" ")} | ${does} |`,
  );
  expect(table.split("\n")).toEqual(rows);
});

test.concurrent("without a terminal it names what to use instead", async ({ onTestFinished }) => {
  const box = inProcess(onTestFinished);
  const { code, stdout, stderr } = await box.ralph("board");
  expect([code, stdout]).toEqual([2, ""]);
  for (const other of ["ralph status", "ralph task list", "ralph board --json", "ralph serve"])
    expect(stderr).toContain(other);
});

test.concurrent("--json is one document, of one spec if it is named", async ({ onTestFinished }) => {
  const box = inProcess(onTestFinished);
  await box.ralph("task", "add", "One thing", "--spec", "a");
  await box.ralph("task", "add", "Another", "--spec", "b");
  expect(await box.json("board")).toMatchObject({
    totals: { of: 2 },
    cards: [{ spec: "a" }, { spec: "b" }],
    loops: [],
  });
  expect(await box.json("board", "--spec", "b")).toMatchObject({
    totals: { of: 1 },
    cards: [{ title: "Another", lane: "todo" }],
  });
  expect((await box.ralph("board", "--spec", "c", "--json")).code).toBe(2);
});

const RESTORED = { isAlternate: false, marksPastes: false, wraps: true, hidesCursor: false };

async function withTasks(finished: Finished): Promise<InProcessSandbox> {
  const box = inProcess(finished);
  await box.ralph("task", "add", "Round the totals", "日本円 と 한국 원", "Flags 🇩🇪 ⚠️ and 👩‍👩‍👧", "--spec", "shop");
  return box;
}

test.concurrent("it opens, moves, opens a task, filters, follows the size and leaves the terminal as it was", async ({
  onTestFinished,
}) => {
  const box = await withTasks(onTestFinished);
  const screen = ralphScreen(box, ["board"], { size: { columns: 200, rows: 60 } });
  await screen.shows("┃ TASK-001");
  for (const title of ["Todo 3", "Implementing 0", "Reviewing 0", "Testing 0", "QA 0", "Done 0", "Blocked 0"])
    await screen.shows(title);
  screen.press("j");
  await screen.shows("┃ TASK-002");
  screen.press("enter");
  await screen.shows(/Task TASK-002 · 日本円[\s\S]*Stages[\s\S]*History/);
  screen.press("escape");
  await screen.shows("┃ TASK-002");
  screen.press("/", ..."flags");
  await screen.until((lines) => lines.join("\n").includes("1 of 3 tasks") && !lines.join("\n").includes("Round"));
  screen.press("enter", "escape");
  await screen.shows("Round the totals");
  screen.resize({ columns: 80, rows: 24 });
  await screen.shows("Testing 0 · QA 0 · Done 0 · Blocked 0 ›");
  await screen.until((lines) => lines.length === 24 && lines[23]?.endsWith("q quit") === true);
  screen.resize({ columns: 40, rows: 12 });
  await screen.shows("The board needs at least 60x16");
  screen.press("q");
  expect(await screen.ended).toMatchObject({ code: 0 });
  expect(screen.modes()).toEqual(RESTORED);
  expect(screen.history().join("")).toBe("");
});

test.each<Widths>(["narrow", "wide"])("every lane begins at its column: %s emoji", async (widths) => {
  const box = await withTasks(onTestFinished);
  const screen = ralphScreen(box, ["board"], { size: { columns: 80, rows: 40 }, widths });
  await screen.shows("TASK-003");
  const { row = 0, column: left = 0 } = screen.find("│ TASK-003") ?? {};
  const right = (screen.find("┐")?.column ?? screen.find("┓")?.column) as number;
  for (let line = row - 1; line <= row + 5; line++)
    expect([screen.cell(line, left).text, screen.cell(line, right).text].join()).toMatch(/^(?:┌,┐|│,│|└,┘)$/);
  expect(screen.find("Implementing 0")?.column).toBe(28);
});

test.concurrent("a change elsewhere is drawn, and NO_COLOR keeps the selection visible", async ({ onTestFinished }) => {
  const box = await withTasks(onTestFinished);
  const screen = ralphScreen(box, ["board"], { env: { NO_COLOR: "1" } });
  await screen.shows("┃ TASK-001");
  const { row = 0, column = 0 } = screen.find("TASK-001") ?? {};
  expect(screen.cell(row, column)).toMatchObject({ inverse: true, bold: true, colour: null });
  expect(screen.cell(row - 1, column)).toMatchObject({ text: "━", bold: true, colour: null });
  await box.ralph("task", "update", "TASK-001", "--title", "Round everything");
  await screen.shows("Round everything");
  screen.press("ctrl-c");
  expect(await screen.ended).toMatchObject({ code: 0 });
});

test.concurrent("opened before the first task, it opens and changes the tasks that come", async ({
  onTestFinished,
}) => {
  const box = inProcess(onTestFinished);
  const screen = ralphScreen(box, ["board"]);
  await screen.shows("No tasks yet.");
  await box.ralph("task", "add", "Round the totals", "--spec", "shop");
  await screen.shows("┃ TASK-001");
  screen.press("enter");
  await screen.shows(/Task TASK-001 · Round the totals[\s\S]*Stages/);
  screen.press("c", "y");
  await screen.shows("TASK-001 is cancelled");
  screen.press("q");
  expect(await screen.ended).toMatchObject({ code: 0 });
});

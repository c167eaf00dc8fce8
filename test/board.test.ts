import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { KEYS } from "../src/faces/board/key-table.ts";
import { inProcess } from "./support/in-process.ts";

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

import { expect, test } from "vitest";
import { commitsIn } from "./commits.ts";

const id = (name: string) => name.repeat(40).slice(0, 40);
const NONE = "0".repeat(40);
const line = (from: string, to: string, text: string) =>
  `${from === "" ? NONE : id(from)} ${id(to)} A User <a@b> 1700000000 +0000\t${text}`;

test.each<[string, string, string[], string[] | null]>([
  ["nothing", "a", [line("", "a", "commit (initial): one")], []],
  ["commits", "a", [line("", "a", "commit (initial): one"), line("a", "b", "commit: two: more")], ["two: more"]],
  [
    "from the first commit on",
    "",
    [line("", "a", "commit (initial): one"), line("a", "b", "commit: two")],
    ["one", "two"],
  ],
  ["an amended commit", "a", [line("a", "b", "commit: two"), line("b", "c", "commit (amend): better")], ["better"]],
  [
    "a reset to a known commit",
    "a",
    [line("a", "b", "commit: two"), line("b", "c", "commit: three"), line("c", "b", "reset: moving to HEAD~1")],
    ["two"],
  ],
  ["a reset to the start", "a", [line("a", "b", "commit: two"), line("b", "a", "reset: moving to HEAD~1")], []],
  [
    "another branch",
    "a",
    [line("a", "d", "checkout: moving from main to x"), line("d", "e", "commit: on x")],
    ["on x"],
  ],
  [
    "a rebase",
    "a",
    [
      line("a", "b", "commit: two"),
      line("b", "a", "rebase (start): checkout main"),
      line("a", "c", "rebase (pick): two"),
      line("c", "c", "rebase (finish): returning to refs/heads/x"),
    ],
    ["two"],
  ],
  [
    "merges, cherry-picks, reverts",
    "a",
    [line("a", "b", "merge x: Merge made"), line("b", "c", "cherry-pick: p")],
    ["Merge made", "p"],
  ],
  ["a log that does not reach back", "a", [line("x", "y", "commit: two")], null],
  ["no log", "a", [""], null],
  ["broken lines", "a", ["garbage", line("a", "b", "commit"), "\t"], [""]],
])("%s", (_name, base, lines, subjects) => {
  const found = commitsIn(`${lines.join("\n")}\n`, base === "" ? "" : id(base));
  expect(found?.last.map(({ subject }) => subject) ?? null).toEqual(subjects);
  expect(found?.count ?? null).toBe(subjects?.length ?? null);
});

test("only the newest are kept", () => {
  const lines = Array.from({ length: 30 }, (_, i) =>
    line(String.fromCharCode(97 + (i % 6)), String(i % 10), `commit: ${i}`),
  );
  const log = [
    line("f", "a", "commit: first"),
    ...lines.map((text, i) => text.replace(/^\S+ \S+/, `${id("a")} ${i.toString(16).padStart(40, "9")}`)),
  ];
  const found = commitsIn(log.join("\n"), id("f"));
  expect(found?.count).toBe(31);
  expect(found?.last.map(({ subject }) => subject)).toEqual([
    "20",
    "21",
    "22",
    "23",
    "24",
    "25",
    "26",
    "27",
    "28",
    "29",
  ]);
});

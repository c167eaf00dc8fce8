import { expect, test } from "vitest";
import { table } from "./table.ts";

const rows = [
  ["NAME", "DESCRIPTION", "TRIGGERS"],
  ["feature", "Plans a feature, implements the plan, and reviews it", '"add a feature"'],
];

test("columns are aligned by what is seen", () => {
  expect(
    table(
      [
        ["日本", "x"],
        ["👩‍👩‍👧", "y"],
        ["e\u0301", "z"],
        ["abcd", "w"],
      ],
      null,
      80,
    ),
  ).toBe("日本  x\n👩‍👩‍👧    y\ne\u0301     z\nabcd  w");
});

test.each<[string, number | null, number, string[]]>([
  ["a table that fits is unchanged", 1, 90, [rows[1]?.join("  ") ?? ""]],
  [
    "the flexible column makes room for the others",
    1,
    60,
    ['feature  Plans a feature, implements the p…  "add a feature"'],
  ],
  ["it keeps a minimum width", 1, 30, ["feature  Plans a feature, imp…"]],
  ["without one the end is cut", null, 60, ["feature  Plans a feature, implements the plan, and reviews …"]],
])("%s", (_name, gives, width, expected) => {
  const lines = table(rows, gives, width).split("\n");
  expect(lines.slice(1)).toEqual(expected);
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(width);
});

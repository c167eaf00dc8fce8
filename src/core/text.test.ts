import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { printable, stripAnsi } from "./ansi.ts";
import { formatDuration, parseDuration } from "./duration.ts";
import { cut, excerpt } from "./excerpt.ts";
import { slugOf, uniqueSlugs } from "./slug.ts";

describe("excerpt", () => {
  test.each([
    ["short text whole", "abc", 10, "abc"],
    ["head and tail of a long one", "0123456789abcdef", 6, "01\n… 10 characters left out …\ncdef"],
  ])("keeps %s", (_name, text, max, kept) => expect(cut(text, max)).toBe(kept));

  test("does not depend on how the text is cut into pieces", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ maxLength: 40 })), fc.integer({ min: 1, max: 60 }), (pieces, max) => {
        const collected = excerpt(max);
        for (const piece of pieces) collected.add(piece);
        expect(collected.text()).toBe(cut(pieces.join(""), max));
      }),
    );
  });
});

test.each([
  ["90s", 90_000],
  ["5m", 300_000],
  ["2h", 7_200_000],
  ["500ms", 500],
  ["1.5s", 1_500],
  ["30", 30_000],
  ["-1", null],
  ["soon", null],
  ["", null],
])("the duration %j is %j ms", (text, ms) => expect(parseDuration(text)).toBe(ms));

test.each([
  [250, "250ms"],
  [3_000, "3s"],
  [323_000, "5m 23s"],
  [7_440_000, "2h 4m"],
])("%j ms reads %j", (ms, text) => expect(formatDuration(ms)).toBe(text));

test.each([
  ["npm run lint", "npm_run_lint"],
  ["./mvnw clean install -T 2C -q -e", "mvnw_clean_install_T_2C_q_e"],
  ["!!!", "command"],
  ["x".repeat(80), "x".repeat(50)],
  [`${"x".repeat(49)}-y`, "x".repeat(49)],
])("the slug of %j", (command, slug) => expect(slugOf(command)).toBe(slug));

test("equal slugs get different suffixes", () =>
  expect(uniqueSlugs(["a b", "a-b", "a_b_2"])).toEqual(["a_b", "a_b_2", "a_b_2_2"]));

test.each([
  ["\u001b[31mred\u001b[0m", "red"],
  ["\u001b]0;title\u0007text", "text"],
  ["plain", "plain"],
])("strips terminal escapes from %j", (text, plain) => expect(stripAnsi(text)).toBe(plain));

test("foreign text stays on its line", () => expect(printable("a\r\n\u001b[2Jb\u0007c")).toBe("a b c"));

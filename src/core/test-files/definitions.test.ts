import { expect, test } from "vitest";
import { definedIn, definitionOf, linesOf } from "./definitions.ts";

test.each<[string, string[]]>([
  ["export const a = 1; function b() {}", ["a", "b"]],
  ["export { inner as outer };", ["outer"]],
  ["class A:\n    def b(self):", ["A", "b"]],
  ["func Add(a int) int {\nfunc (c *Calc) Sub() {", ["Add", "Sub"]],
  ["#[cfg(test)]\nmod tests {}", ["tests"]],
  ["pub fn add() {}\nimpl A { pub struct B; }", ["add", "B"]],
  ["public class Calc {\n  public static int add(int a) {\n  List<String> names;", ["Calc", "add"]],
])("the names of %j", (text, names) => expect(definedIn(text)).toEqual(names));

const TEXT = `export const one = () => {
  const inner = 1;
  return inner;
};

export function two() {
  return "the second one";
}
`;

test("a definition ends where the next one begins", () => {
  expect(definitionOf("one", TEXT)).toContain("return inner;");
  expect(definitionOf("one", TEXT)).not.toContain("second");
  expect(definitionOf("three", TEXT)).toBe("");
});

test("lines are the same under another name", () => {
  const renamed = TEXT.replaceAll("two", "second");
  expect(linesOf(definitionOf("second", renamed))).toEqual(linesOf(definitionOf("two", TEXT)));
});

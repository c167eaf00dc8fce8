import { h } from "preact";
import { render } from "preact-render-to-string";
import { expect, test } from "vitest";
import { Earlier } from "./earlier.tsx";

const shown = (count: number, showMore: (() => void) | null): string =>
  render(h(Earlier, { loop: "ab12", count, showMore }));

test("attempts that are left out can be shown", () => {
  expect(shown(70, () => undefined)).toContain("Show earlier attempts (70)");
});

test("once the page has as many as it can show, it names the command that prints the others", () => {
  const html = shown(700, null);
  expect(html).toContain("700 earlier attempts: ");
  expect(html).toContain("ralph why ab12");
  expect(html).not.toContain("<button");
});

test("nothing is left out", () => {
  expect(shown(0, null)).toBe("");
});

import { h } from "preact";
import { renderToString } from "preact-render-to-string";
import { expect, test } from "vitest";
import { MarkedText } from "./marked-text.tsx";

test.each([
  ["**Iteration 1/5**: `npm test`", "<strong>Iteration 1/5</strong>: <code>npm test</code>"],
  ["2 ** 3 ** 4 and ``", "2 ** 3 ** 4 and ``"],
  ["**<img src=x onerror=alert(1)>** <b>", "<strong>&lt;img src=x onerror=alert(1)></strong> &lt;b>"],
])("%s", (text, html) => {
  expect(renderToString(h(MarkedText, { text }))).toBe(html);
});

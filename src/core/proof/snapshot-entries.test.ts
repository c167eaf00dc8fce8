import { expect, test } from "vitest";
import { keepsEntries } from "./snapshot-entries.ts";

const JEST =
  "// Jest Snapshot v1\n\nexports[`a 1`] = `1`;\n\nexports[`b 1`] = `\n<p>\n  \\`2\\` \\\u0024{x} $\n</p>\n`;\n";
const AMBR = "# serializer version: 1\n# name: test_a\n  '1'\n# ---\n";

test.each<[string, string, string, boolean]>([
  ["nothing", JEST, JEST, true],
  ["an entry at the end", JEST, `${JEST}\nexports[\`c 1\`] = \`3\`;\n`, true],
  ["an entry between", JEST, JEST.replace("exports[`b", "exports[`aa 1`] = `\n3\n`;\n\nexports[`b"), true],
  ["another version", JEST, JEST.replace("v1", "v2"), true],
  ["an entry of Syrupy", AMBR, `${AMBR}# name: test_b\n  '2'\n# ---\n`, true],
  ["another value", JEST, JEST.replace("`1`;", "`2`;"), false],
  ["a line of a value", JEST, JEST.replace("<p>", "<p>\n  more"), false],
  ["a removed entry", JEST, JEST.replace("exports[`a 1`] = `1`;", ""), false],
  ["the same entry again", JEST, `${JEST}exports[\`a 1\`] = \`2\`;\n`, false],
  ["the same entry in other quotes", JEST, `${JEST}exports["a 1"] = \`2\`;\n`, false],
  ["code", JEST, `${JEST}exports[\`c 1\`] = \`3\`;\nObject.assign(exports, { "a 1": "2" });\n`, false],
  ["code in a value", JEST, `${JEST}exports[\`c 1\`] = \`\${f()}\`;\n`, false],
  ["another value of Syrupy", AMBR, AMBR.replace("'1'", "'2'"), false],
  ["a line of another file", "<p>old</p>\n", "<p>old</p>\n<p>new</p>\n", false],
])("%s", (_name, before, after, keeps) => {
  expect(keepsEntries(before, after)).toBe(keeps);
});

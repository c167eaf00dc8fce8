import { expect, test } from "vitest";
import { looksLike } from "./lookalike.ts";
import { readClaim } from "./message.ts";
import { presets } from "./policy.ts";

test.each<[found: string, wanted: string, named: string | null]>([
  ["DONE", "DONE", null],
  ["done", "DONE", null],
  ["FONE", "DONE", null],
  ["D0NE", "DONE", null],
  ["DONE 2", "DONE", null],
  ["ДОНЕ", "DONE", null],
  ["ГОТОВО", "ГОТОВО", null],
  ["👩\u200d💻", "👩\u200d💻", null],
  ["DO\u200bNE", "DONE", "zero-width space U+200B"],
  ["\ufeffDONE", "DONE", "zero-width no-break space U+FEFF"],
  ["DONE\u{e0041}", "DONE", "invisible character U+E0041"],
  ["D\u041eNE", "DONE", "U+041E CYRILLIC CAPITAL LETTER O in place of O"],
  ["D\u041e\u200bNE", "DONE", "zero-width space U+200B, U+041E CYRILLIC CAPITAL LETTER O in place of O"],
  ["ОК", "OK", "U+041E CYRILLIC CAPITAL LETTER O in place of O, U+041A CYRILLIC CAPITAL LETTER KA in place of K"],
  ["ГOTОВО", "ГОТОВО", "U+004F LATIN CAPITAL LETTER O in place of О, U+0054 LATIN CAPITAL LETTER T in place of Т"],
  [
    "\uff24\uff2f\uff2e\uff25",
    "DONE",
    expect.stringContaining("U+FF24 FULLWIDTH LATIN CAPITAL LETTER D in place of D"),
  ],
  ["\u{1d403}ONE", "DONE", "U+1D403 in place of D"],
  ["O\u212a", "OK", expect.stringContaining("U+212A")],
  ["\u13a0ONE", "DONE", "U+13A0 (Cherokee letter) in place of D"],
])("%j for %j", (found, wanted, named) => expect(looksLike(found, wanted)).toEqual(named));

test("a lookalike is not a claim, and the exact text after it is", () => {
  const policy = presets.harness("DONE");
  const reading = readClaim("<promise>D\u041eNE</promise>\n<promise>DONE</promise>", policy);
  expect(reading.claim?.text).toBe("DONE");
  expect(reading.doubts).toMatchObject([{ rule: "look-alike", detail: expect.stringContaining("U+041E") }]);
});

test.each<[text: string, rule: string]>([
  ["<pr\u043emise>DONE</promise>", "look-alike"],
  ["<promise>DONE</pr\u043emise>", "look-alike"],
  ["&lt;promise&gt;DONE&lt;/promise&gt;", "entities"],
  ["<promise>DONE", "unclosed"],
  ["<promise>DONE</response>", "unclosed"],
  ["<response>DONE</response>", "other-tag"],
])("a near miss is named: %s", (text, rule) => {
  const { claim, doubts } = readClaim(text, presets.hook("DONE"));
  expect(claim).toBeNull();
  expect(doubts.map((doubt) => doubt.rule)).toContain(rule);
});

test.each([
  "<div>DONE</div>",
  "<promise>",
  "a < b and b > c</promise>",
  "<résumé>DONE</résumé>",
])("other markup is no near miss: %s", (text) => expect(readClaim(text, presets.hook("DONE")).doubts).toEqual([]));

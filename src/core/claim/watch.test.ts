import fc from "fast-check";
import { expect, test } from "vitest";
import { sampled } from "../../../test/support/effort.ts";
import { stripAnsi } from "../ansi.ts";
import { readClaim } from "./message.ts";
import { type ClaimPolicy, presets } from "./policy.ts";
import { watchClaims } from "./watch.ts";

const TAG = "<promise>DONE</promise>";
const hook = presets.hook("DONE");
const anywhere: ClaimPolicy = { ...hook, scope: "iteration" };

/** A script of messages; null is a tool call. */
function watch(policy: ClaimPolicy, ...script: (string | null)[]) {
  const watching = watchClaims(policy);
  for (const step of script) {
    if (step === null) watching.toolCalled();
    else watching.say(step);
    watching.endMessage();
  }
  return watching.finish();
}

test("a claim has its tag, its text and its position", () => {
  const text = `\u001b[32mDone.\u001b[0m ${TAG}`;
  expect(readClaim(text, hook)).toEqual({
    claim: { start: 6, end: 29, quote: TAG, text: "DONE", tag: "promise" },
    blocked: null,
    doubts: [],
  });
});

test("a doubt names its rule and quotes the text", () => {
  const text = `I will not output ${TAG} yet. Two tests fail.\n${TAG}`;
  const { doubts } = readClaim(text, hook);
  expect(doubts.map(({ is, rule, quote }) => [is, rule, quote])).toEqual([
    ["guarded", "negated", TAG],
    ["contradicted", "tests-fail", "Two tests fail."],
  ]);
  for (const { start, end, quote } of doubts) expect(text.slice(start, end)).toBe(quote);
});

test("contradictions can be turned off", () => {
  expect(readClaim(`2 tests fail.\n${TAG}`, { ...hook, contradictions: false }).doubts).toEqual([]);
});

test("offsets continue across messages", () => {
  expect(watch(hook, "Looking.", `Done.\n${TAG}`).claim?.start).toBe("Looking.Done.\n".length);
});

test.each<[string, ClaimPolicy, (string | null)[], boolean, string[]]>([
  ["the last message claims", hook, ["a", TAG], true, []],
  ["a later message withdraws it", hook, [TAG, "More."], false, ["later-message"]],
  ["a blank message does not", hook, [TAG, " \n"], true, []],
  ["a tool call withdraws it", hook, [TAG, null], false, ["tool-call-after"]],
  ["an earlier tool call does not", hook, ["a", null, TAG], true, []],
  ["a later message keeps it in scope", anywhere, [TAG, "More."], true, []],
  ["a tool call keeps it in scope", anywhere, [TAG, null, "More."], true, []],
  ["a tag is not joined across messages", anywhere, ["<promise>", "DONE</promise>"], false, []],
])("scope: %s", (_name, policy, script, claims, rules) => {
  const { claim, doubts } = watch(policy, ...script);
  expect(claim !== null).toBe(claims);
  expect(doubts.map(({ rule }) => rule)).toEqual(rules);
});

test("harness over an iteration: the first valid tag decides", () => {
  const policy: ClaimPolicy = { ...presets.harness("DONE"), scope: "iteration" };
  const reading = watch(policy, "<response>CONTINUE</response>", null, "<response>DONE</response>");
  expect(reading.claim).toBeNull();
  expect(reading.doubts.map(({ rule }) => rule)).toEqual(["other-text"]);
});

test("the latest claim of an iteration has its own contradictions", () => {
  const { claim, doubts } = watch(anywhere, `2 tests fail.\n${TAG}`, null, `All pass.\n${TAG}`);
  expect(claim?.start).toBeGreaterThan(30);
  expect(doubts).toEqual([]);
});

test.each<[string, string, string | null]>([
  ["states its reason", "<blocked>no API key</blocked>", "no API key"],
  ["over lines", "Stopping.\n<blocked>\n no key,\n no network\n</blocked>", "no key,\n no network"],
  ["that mentions the promise", `<blocked>cannot say ${TAG}: no key</blocked>`, `cannot say ${TAG}: no key`],
  ["negated", "I will not output <blocked>x</blocked> yet.", null],
  ["conditional", "If stuck, I output <blocked>reason</blocked>.", null],
  ["in inline code", "Use `<blocked>reason</blocked>`.", null],
  ["in a block quote", "> <blocked>reason</blocked>", null],
  ["empty", "<blocked> </blocked>", null],
  ["unclosed", "<blocked>reason", null],
])("blocked %s", (_name, text, reason) => {
  expect(readClaim(text, hook)).toMatchObject({ blocked: reason, claim: null });
});

test("blocked and a promise in one message are both reported, the reason bounded", () => {
  const reading = readClaim(`${TAG}\n<blocked>${"x".repeat(3_000)}</blocked>`, hook);
  expect(reading.claim?.text).toBe("DONE");
  expect(reading.blocked).toHaveLength(2_000);
});

test("of many guarded tags the first and the last are kept", () => {
  const { doubts } = readClaim(`\`${TAG}\` `.repeat(100), hook);
  expect(doubts).toHaveLength(20);
  expect(doubts[0]?.start).toBe(1);
  expect(doubts.at(-1)?.start).toBe(99 * 26 + 1);
});

const FRAGMENTS = [
  TAG,
  "<promise>",
  "</promise>",
  "<response>DONE</response>",
  "<response>NO</response>",
  "<blocked>key</blocked>",
  "<blocked>",
  "\n",
  "\n\n",
  "```\n",
  "~~~\n",
  "```",
  "`",
  '"',
  "> ",
  "- ",
  "| ",
  "<!--",
  "-->",
  " not ",
  "If ",
  "when done, output: ",
  "I will ",
  "output ",
  "All tests pass. ",
  "2 tests fail. ",
  "?",
  ".",
  ":",
  "\u001b[31m",
  "\u001b]0;t\u0007",
  "\u001b",
  "[",
  "]8;;",
  "\u200b",
  "é",
  "DONE",
  "\r\n",
  "x".repeat(300),
  "y".repeat(33_000),
];
const fragments = fc.array(fc.constantFrom(...FRAGMENTS), { maxLength: 40 }).map((parts) => parts.join(""));
const texts = fc.oneof(fragments, fc.string({ maxLength: 200 }));
const policies = fc.constantFrom(
  presets.harness("DONE"),
  hook,
  presets.workflow("DONE"),
  presets.pipeline("DONE", { strict: true }),
);

test("the chunks of a text never matter", () => {
  fc.assert(
    fc.property(
      texts,
      policies,
      fc.array(fc.integer({ min: 1, max: 9_000 }), { minLength: 1 }),
      fc.boolean(),
      (text, policy, sizes, tiny) => {
        const watching = watchClaims(policy);
        for (let at = 0, i = 0; at < text.length; i++) {
          const size = tiny && text.length < 5_000 ? 1 + (i % 3) : (sizes[i % sizes.length] ?? 1);
          watching.say(text.slice(at, at + size));
          at += size;
        }
        expect(watching.finish()).toEqual(readClaim(text, policy));
      },
    ),
    { numRuns: 400 },
  );
});

test("no text without a complete tag claims", () => {
  const tagged = fc.constantFrom(presets.harness("DONE"), hook, presets.pipeline("DONE"));
  fc.assert(
    fc.property(texts, tagged, (text, policy) => {
      const without = text.replaceAll(/<\/(?=promise|response)/gi, "<");
      expect(readClaim(without, policy).claim).toBeNull();
    }),
    { numRuns: 400 },
  );
});

test("a bare last line claims after any text except a line that announces it", () => {
  const any = fc.oneof(texts, fc.string({ unit: "grapheme", maxLength: 200 }), fc.lorem({ maxCount: 30 }));
  fc.assert(
    fc.property(any, fc.constantFrom("", "\n", "  \n\n"), (text, after) => {
      fc.pre(!/:[\s*_]*$/.test(stripAnsi(text)));
      const policy = presets.hook("REALLY DONE");
      expect(readClaim(`${text}\n<promise>REALLY DONE</promise>${after}`, policy).claim?.text).toBe("REALLY DONE");
    }),
    { numRuns: 1_000 },
  );
});

test("a quotation always reports its correct position", () => {
  fc.assert(
    fc.property(
      texts.filter((text) => !text.includes("\u001b")),
      policies,
      (text, policy) => {
        const { claim, doubts } = readClaim(text, policy);
        for (const { start, end, quote } of [...(claim ? [claim] : []), ...doubts])
          expect(text.slice(start, end)).toBe(quote);
      },
    ),
    { numRuns: 400 },
  );
});

const MB5 = 5_000_000;
const fill = (piece: string) => piece.repeat(Math.ceil(MB5 / piece.length));

sampled(4).each<[string, string]>([
  ["opening tags", "<promise>"],
  ["closing tags", "</promise>"],
  ["blocked tags", "<blocked>"],
  ["complete tags with another text", "<promise>X</promise>"],
  ["quoted tags", `"${TAG}" `],
  ["negated tags", `not ${TAG} `],
  ["fenced tags", `\`\`\`\n${TAG}\nx\n\`\`\`\n`],
  ["conditional tags", `${"if not say when ".repeat(30)}${TAG} `],
  ["tags after an open fence", `\n${TAG}\nx`],
  ["spaces", " "],
  ["line breaks", "\n"],
  ["backticks", "`"],
  ["fences", "```\n"],
  ["quotation marks", '"'],
  ["angle brackets", "<"],
  ["escape characters", "\u001b"],
  ["unfinished escapes", "\u001b]0;"],
  ["one long line", "lorem ipsum <b>dolor</b> sit amet "],
  ["tags with lookalike letters", "<pr\u043emise>DONE</pr\u043emise>"],
  ["escaped tags", "&lt;promise&gt;DONE"],
  ["invisible characters", "<promise>DO\u200b"],
  ["open boxes", "\n- [ ] x"],
  ["doubts in German", "schlagen noch Tests "],
  ["doubts in Chinese", "还有测试失败，"],
  ["contradicted claims", "1 test fails, it still needs to be fixed if when not "],
])("five megabytes of %s are read, and a claim after them is found", (name, piece) => {
  const watching = watchClaims(hook);
  const text = (name.includes("open fence") ? "```\n" : "") + fill(piece);
  for (let at = 0; at < text.length; at += 65_536) watching.say(text.slice(at, at + 65_536));
  watching.say(`\n${TAG}\n`);
  expect(watching.finish().claim?.text).toBe("DONE");
});

test("an open fence is remembered, and megabytes may follow a claim", () => {
  const log = fill("lorem ipsum\n");
  expect(readClaim(`\`\`\`\n${log}\n${TAG}\n${log}`, hook).claim).toBeNull();
  expect(readClaim(`\`\`\`\n${log}\n\`\`\`\n${TAG}\n${log}`, hook).claim?.text).toBe("DONE");
});

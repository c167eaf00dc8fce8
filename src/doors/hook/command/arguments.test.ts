import fc from "fast-check";
import { expect, test } from "vitest";
import { parseRalphArguments, type RalphRequest, ralphHelp } from "./arguments.ts";

const start = (prompt: string, more: Partial<RalphRequest & { do: "start" }> = {}) => ({
  request: { do: "start", prompt, description: null, context: null, flags: {}, ...more },
});

test.each<[string, ReturnType<typeof start>]>([
  ['"Fix it"', start("Fix it")],
  ["'Fix it'", start("Fix it")],
  ["“Fix it”", start("Fix it")],
  ["‘Fix it’", start("Fix it")],
  ["Fix it", start("Fix it")],
  ["  Fix\n\n  it\t", start("Fix\n\n  it")],
  ['"Fix it\n\n- one\n- two" --max-iterations=3', start("Fix it\n\n- one\n- two", { flags: { maximumIterations: 3 } })],
  ["--max-iterations 3 Fix it", start("Fix it", { flags: { maximumIterations: 3 } })],
  ["Fix --maximum-iterations 3 it", start("Fix it", { flags: { maximumIterations: 3 } })],
  ["Fix it\n-m 3\nnow", start("Fix it\nnow", { flags: { maximumIterations: 3 } })],
  ["—max-iterations 3 Fix it", start("Fix it", { flags: { maximumIterations: 3 } })],
  ["Fix it -m 3 -m 4", start("Fix it", { flags: { maximumIterations: 4 } })],
  [
    '"Fix it" --completion-promise "ALL DONE" --verify "npm test" --verify=\'npm run "lint"\'',
    start("Fix it", { flags: { completionResponse: "ALL DONE", verify: ["npm test", 'npm run "lint"'] } }),
  ],
  ['--verify="npm test" Fix it', start("Fix it", { flags: { verify: ["npm test"] } })],
  ["--verify=./check.sh Fix it", start("Fix it", { flags: { verify: ["./check.sh"] } })],
  ['--verify ./check.sh "Fix it"', start("Fix it", { flags: { verify: ["./check.sh"] } })],
  [
    '"Fix it" --max-cost 2.50 --max-tokens 1000 --timeout 30m --stuck-after 0',
    start("Fix it", { flags: { maxCostUsd: 2.5, maxTokens: 1000, timeout: 1800, stuckAfter: 0 } }),
  ],
  [
    'Fix it --scope "src/**" --scope "+test/**"',
    start("Fix it", { flags: { completion: { scope: ["src/**", "+test/**"] } } }),
  ],
  [
    'Fix it --missing-ok --verify "npm test"',
    start("Fix it", { flags: { verify: ["npm test"], completion: { missing_ok: true } } }),
  ],
  ['"Fix it" --context reset --description "The fix"', start("Fix it", { context: "reset", description: "The fix" })],
])("accepts %s", (typed, parsed) => {
  expect(parseRalphArguments(typed)).toEqual(parsed);
});

test.each<[string, string]>([
  ["don't break the users' page", "don't break the users' page"],
  ["'tis broken, don't ask", "'tis broken, don't ask"],
  ["'don't stop'", "don't stop"],
  ["echo $HOME `date` $(x) $& {{MAX}}", "echo $HOME `date` $(x) $& {{MAX}}"],
  ['Fix the "login page" now', 'Fix the "login page" now'],
  ['He said "yes", and "no".', 'He said "yes", and "no".'],
  ['"Fix the "login" page"', '"Fix the "login" page"'],
  ['"one" "two"', '"one" "two"'],
  [String.raw`"say \"hi\" in C:\new and \\d"`, String.raw`say "hi" in C:\new and \d`],
  ['"add a --verbose flag, and --max-iterations 3"', "add a --verbose flag, and --max-iterations 3"],
  ['explain "--verify" to me', 'explain "--verify" to me'],
  ['-- add a --verbose flag, and "quotes"', 'add a --verbose flag, and "quotes"'],
  ["fix it -- it crashes", "fix it -- it crashes"],
  ["run ls -la | head -n 3", "run ls -la | head -n 3"],
  ["---\ntitle: x\n---", "---\ntitle: x\n---"],
])("leaves the prompt of %s unchanged", (typed, prompt) => {
  expect(parseRalphArguments(typed)).toEqual(start(prompt));
});

test.each<[string, string]>([
  ["", "The prompt is missing."],
  ['"" --max-iterations 3', "The prompt is missing."],
  ["--max-iterations 3", "The prompt is missing."],
  ['"Fix it" --max-iteration 3', "There is no option --max-iteration, did you mean --max-iterations?"],
  ['"Fix it" --budget=3', "There is no option --budget."],
  ['"Fix it" -n 3', "There is no option -n."],
  ["add a --verbose flag", "There is no option --verbose. If it is part of the task, put the whole task in quotes."],
  ['"Fix it" --max-iterations many', "--max-iterations: expected a whole number from 1, such as 10, got “many”."],
  ['"Fix it" --max-iterations=0', "--max-iterations: expected a whole number from 1, such as 10, got “0”."],
  ['"Fix it" --max-iterations', "--max-iterations: expected a value, as in --max-iterations N."],
  ['"Fix it" -m --verify x', "-m: expected a value, as in -m N."],
  ['"Fix it" --verify=', '--verify: expected a value, as in --verify "command".'],
  ['"Fix it" --verify ""', "--verify: expected text that is not empty, got “”."],
  ['"Fix it" --verify npm test', '--verify: where does its value end? Put it in quotes, as in --verify "npm test".'],
  ["Fix it --completion-promise=ALL DONE", "--completion-promise: where does its value end?"],
  ['"Fix it" --verify "npm test', "--verify: the quote before “npm” is never closed."],
  ['"Fix it --max-iterations 3', "The quote before “Fix” is never closed"],
  ['"Fix it" --context fresh', "--context: expected continue or reset, got “fresh”."],
  ['"Fix it" --timeout soon', "--timeout: expected a duration above 0, such as 90s, 5m or 2h, got “soon”."],
  ['x --completion-promise "<promise>X</promise>"', "expected the text between the tags alone"],
  ["--resume 3f2a Fix it", "A resumed loop keeps its settings: the prompt (“Fix it”) cannot be changed."],
  ["--resume 3f2a --verify x --context reset", "keeps its settings: --verify, --context cannot be changed."],
  ["--resume", "--resume: expected a value, as in --resume LOOP."],
])("refuses %s", (typed, complaint) => {
  const parsed = parseRalphArguments(typed);
  expect(parsed).toEqual({ complaint: expect.stringContaining(complaint) });
  expect(parsed).toEqual({ complaint: expect.stringContaining("Nothing was started. An example: /ralph ") });
});

test.each<[string, RalphRequest]>([
  ["--resume 3f2a", { do: "resume", loop: "3f2a", flags: {} }],
  ["--resume=last -m 20 --timeout 1h", { do: "resume", loop: "last", flags: { maximumIterations: 20, timeout: 3600 } }],
  ["--help", { do: "help" }],
  ["Fix it --verbse -h", { do: "help" }],
])("%s is another request", (typed, request) => {
  expect(parseRalphArguments(typed)).toEqual({ request });
});

test("an example of the help can be typed", () => {
  const examples = ralphHelp().match(/^ {2}\/ralph .*$/gm) ?? [];
  expect(examples).toHaveLength(2);
  for (const example of examples)
    expect(parseRalphArguments(example.trim().slice("/ralph ".length))).toHaveProperty("request");
});

const QUOTES = [
  ['"', '"'],
  ["'", "'"],
  ["“", "”"],
] as const;

test("a quoted prompt is unchanged, with options in any place", () => {
  const anyText = fc.oneof(fc.string({ unit: "binary" }), fc.string({ unit: fc.constantFrom(..."\"'“” \\\n-=aM—") }));
  fc.assert(
    fc.property(anyText, fc.constantFrom(...QUOTES), fc.nat(3), (prompt, [open, close], order) => {
      fc.pre(prompt.trim() !== "");
      const escaped = prompt.replace(/["'“”\\]/g, (c) => (c === open || c === close || c === "\\" ? `\\${c}` : c));
      const quoted = `${open}${escaped}${close}`;
      const typed = [`${quoted} -m 3`, `-m=3 ${quoted}`, `-m 3\n${quoted}`, quoted][order] ?? quoted;
      expect(parseRalphArguments(typed)).toEqual(start(prompt, order === 3 ? {} : { flags: { maximumIterations: 3 } }));
    }),
  );
});

test("any input has an answer, and no word of a bare prompt is lost", () => {
  const pieces = fc.constantFrom(
    ..."\"'“”‘’-–—=\\ \n".split(""),
    "--verify",
    "--max-iterations",
    "-m",
    "3",
    "x",
    "--",
    "--resume",
    "--help",
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.array(pieces).map((all) => all.join("")),
      ),
      (typed) => {
        const parsed = parseRalphArguments(typed);
        if ("complaint" in parsed || parsed.request.do !== "start") return;
        for (const word of typed.match(/[xyz]+/g) ?? []) expect(JSON.stringify(parsed.request)).toContain(word);
      },
    ),
  );
});

test("unclosed quotes are searched once, however many there are", () => {
  const prompt = "'tis “odd ".repeat(30_000).trim();
  // Repeated searches would exceed the test's timeout.
  expect(parseRalphArguments(`Fix ${prompt}`)).toEqual(start(`Fix ${prompt}`));
});

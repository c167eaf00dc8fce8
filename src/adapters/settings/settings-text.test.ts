import fc from "fast-check";
import { expect, test } from "vitest";
import { RalphError } from "../../core/errors.ts";
import { parseSettings } from "./settings-text.ts";

/** The messages about a text, without the file's name in front of each. */
async function saidAbout(text: string): Promise<string[]> {
  try {
    await parseSettings(text, "s.json");
  } catch (error) {
    if (!(error instanceof RalphError)) throw error;
    expect(error).toMatchObject({ exitCode: 2, hint: expect.stringMatching(/\w/) });
    return error.message.split("\n").map((line) => line.replace(/^s\.json:/, ""));
  }
  return [];
}

const key = '"verify": ["a"]';

test.each<[string, string, string]>([
  ["a missing comma", `{\n  ${key}\n  "timeout": 5\n}`, "3:3: expected a comma before this"],
  ["a comma too many", `{\n  ${key},\n}\n`, "2:18: a comma before } is not allowed: the file is strict JSON"],
  [
    "a comma too many in a list",
    '{"verify": ["a" , ]}',
    "1:17: a comma before ] is not allowed: the file is strict JSON",
  ],
  ["two commas", `{${key}, , "b": 1}`, "1:19: expected a key in double quotes"],
  ["a comment", `{\n  // why\n  ${key}\n}`, "2:3: comments are not allowed: the file is strict JSON"],
  ["a comment that is not closed", "{ /* }", "1:3: comments are not allowed: the file is strict JSON"],
  ["single quotes", "{'verify': []}", "1:2: expected double quotes"],
  ["a missing colon", '{"verify" []}', "1:11: expected a colon after the key"],
  ["a missing value", '{"verify": , "timeout": 5}', "1:12: expected a value"],
  ["a list that is closed as an object", '{"verify": ["a"}', "1:16: expected ] before this"],
  ["a missing end", `{\n  ${key}\n\n`, "2:18: expected } or a comma, but the file ends here"],
  ["a missing quote", '{\n  "context": "fresh\n}', "2:14: the text that starts here has no closing quote on this line"],
  ["a number with a leading 0", '{"timeout": 05}', "1:14: a number must not start with 0"],
  ["a number without an integer part", '{"timeout": .5}', "1:13: a number starts with a digit or a minus sign"],
  ["a number without a fraction", '{"timeout": 1.}', "1:13: expected a digit"],
  ["a tab in a text", '{"context": "a\tb"}', "1:13: a control character in text must be written as \\t, \\n or \\u00…"],
  ["one brace too many", `{${key}}}`, "1:18: expected the end of the file"],
  ["an empty file", " \n", "1:1: the file is empty"],
])("points at %s", async (_name, text, said) => {
  expect((await saidAbout(text))[0]).toBe(said);
});

test("explains that quotes are needed", async () => {
  expect((await saidAbout("{verify: []}"))[0]).toMatch(/^1:2: keys and text must be in double quotes/);
  expect((await saidAbout('{"contradictions": True}'))[0]).toMatch(/^1:20: .*true, false and null/);
  expect((await saidAbout('{"verify": ["C:\\dir"]}'))[0]).toMatch(/^1:13: a backslash in text must be doubled/);
});

test("shows the broken line with a caret under the error", async () => {
  expect(await saidAbout('{\r\n\t"verify": ["a"]\r\n\t"timeout": 5\r\n}')).toEqual([
    "3:2: expected a comma before this",
    '  3 |  "timeout": 5',
    "    |  ^",
  ]);
});

test("shows the part of a long line near the error", async () => {
  const [, line = "", caret = ""] = await saidAbout(`{"verify": [${'"a", '.repeat(500)} x ${', "b"'.repeat(500)}]}`);
  expect(line.length).toBeLessThan(110);
  expect(line[caret.indexOf("^")]).toBe("x");
});

test("shows no secrets and no control characters", async () => {
  const hook = '"webhook": "https://hooks.example.com/T0/secret"';
  const [, line = "", caret = ""] = await saidAbout(`{"notify": [{${hook} "on":\u001b[2J "failed"}]}`);
  expect(line).toBe('  1 | {"notify": [{"webhook": "https://hooks.example.com/***" "on": [2J "failed"}]}');
  expect(line.slice(caret.indexOf("^"))).toMatch(/^"on"/);
});

test.each<[string, string, string[]]>([
  [
    "a wrong word",
    '{\n  "guardrails": [\n    { "command": "x", "failAction": "append" }\n  ]\n}',
    ['3:37: guardrails[0].failAction: expected one of APPEND, PREPEND, REPLACE, got "append"'],
  ],
  ["an unknown key", '{\n  "agnt": {}\n}', ['2:3: agnt: unknown key "agnt", did you mean "agent"?']],
  [
    "several unknown keys, each at its place",
    '{\n  "agnt": {},\n  "timeot": 1\n}',
    [
      '2:3: agnt: unknown key "agnt", did you mean "agent"?',
      '3:3: timeot: unknown key "timeot", did you mean "timeout"?',
    ],
  ],
  [
    "truncated or differently joined keys",
    '{"maxIterations": 1,\n"max_iterations": 1,\n"maxCost": 1}',
    [
      '1:2: maxIterations: unknown key "maxIterations", did you mean "maximumIterations"?',
      '2:1: max_iterations: unknown key "max_iterations", did you mean "maximumIterations"?',
      '3:1: maxCost: unknown key "maxCost", did you mean "maxCostUsd"?',
    ],
  ],
  [
    "keys that resemble none, and the valid keys listed once",
    '{"agent": {"command": "a",\n"wibble": 1,\n"wobble": 1}}',
    [
      '2:1: agent.wibble: unknown key "wibble" (expected one of command, flags, output, prompt, price)',
      '3:1: agent.wobble: unknown key "wobble"',
    ],
  ],
  ["a missing key", '{\n  "agent": {"flags": []}\n}', ["2:12: agent.command: missing, expected a command"]],
  [
    "an unknown notification",
    '{"notify": [\n  {"on": ["verified", "stoped"], "command": "x"}]}',
    [
      '2:23: notify[0].on[1]: expected one of stopped, completed, verified, failed, blocked, waiting, iteration, finished, got "stoped"',
    ],
  ],
  [
    "two ways to notify",
    '{"notify": [\n  {"on": "failed", "command": "x", "webhook": "https://example.invalid"}]}',
    ["2:3: notify[0]: expected either command or webhook"],
  ],
  [
    "both ways to name agents",
    '{"agent": {"command": "a"},\n "agents": [{"command": "b"}]}',
    ["2:12: agents: expected either agent or agents, got both"],
  ],
  [
    "an invalid platform",
    '{\n  "platforms": { "slack": { "chanels": [] } }\n}',
    ['2:29: platforms.slack.chanels: unknown key "chanels", did you mean "channels"?'],
  ],
  ["a list", " []", ["1:2: expected settings: a JSON object, got a list"]],
  ["a key given twice", '{\n  "timeout": 5,\n  "timeout": 6\n}', ["3:3: timeout: given twice, first at 2:3"]],
  [
    "an inner key given twice, and a mistake in the one that counts",
    '{"agent": {"command": "a",\n "command": 5}}',
    ["2:2: agent.command: given twice, first at 1:12", "2:13: agent.command: expected a command, got the number 5"],
  ],
  ["a lookalike of another key", '{"timeout": 5, "time\\u006fut": 6}', ["1:16: timeout: given twice, first at 1:2"]],
])("points at %s", async (_name, text, said) => {
  expect(await saidAbout(text)).toEqual(said);
});

test("reports five mistakes in file order, and counts the rest", async () => {
  const text = `{"verify": 1,\n "guardrails": [${"\n  {},".repeat(7)}\n  {"command": "x"}]}`;
  const said = await saidAbout(text);
  expect(said.map((line) => line.split(": ")[0])).toEqual(["1:12", "3:3", "4:3", "5:3", "6:3", " and 3 more"]);
});

test("reads quotes, colons and braces in text as text", async () => {
  const text = '{"verify": ["echo \\"a\\": {\\"b\\": 1}", "a\\\\"], "context": "fresh"}';
  expect(await parseSettings(text, "s.json")).toEqual(JSON.parse(text));
});

test("skips a byte order mark, and counts columns without it", async () => {
  expect(await parseSettings(`\uFEFF{${key}}`, "s.json")).toEqual({ verify: ["a"] });
  expect(await saidAbout('\uFEFF{"x": 1}')).toEqual([expect.stringMatching(/^1:2: x: unknown key/)]);
});

test.each([
  ["closed", `{"x": ${"[".repeat(100_000)}${"]".repeat(100_000)}}`],
  ["open", "[".repeat(100_000)],
])("too deep nesting is reported as a mistake (%s)", async (_name, text) => {
  expect(await saidAbout(text)).not.toEqual([]);
});

test("any mutation of a file is read, or refused with a location in it", async () => {
  const good = `{\n  "agent": { "command": "claude", "flags": ["--model opus"] },\n  ${key},\n  "timeout": 1.5e3\n}\n`;
  const edit = fc.record({
    from: fc.nat(good.length),
    cut: fc.nat(6),
    put: fc.oneof(fc.constantFrom('"', ",", "}", "]", "{", "[", ":", "\\", "//", "/*", "0", "\n"), fc.string()),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(edit, { minLength: 1, maxLength: 3 }), async (edits) => {
      const text = edits.reduce((now, { from, cut, put }) => now.slice(0, from) + put + now.slice(from + cut), good);
      const [first] = await saidAbout(text);
      if (first === undefined) return;
      const [line = 0, column = 0] = first.split(":").map(Number);
      const written = text.split("\n")[line - 1];
      expect(written).toBeDefined();
      expect(column).toBeGreaterThanOrEqual(1);
      expect(column).toBeLessThanOrEqual((written?.length ?? 0) + 1);
      expect(first).not.toContain("SyntaxError");
    }),
    { numRuns: 500 },
  );
});

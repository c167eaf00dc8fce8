import fc from "fast-check";
import { parse } from "jsonc-parser";
import { expect, test } from "vitest";
import { type Hooks, hooksIn, withHooks, withoutHooks } from "./hooks-json.ts";

const HOOKS: Hooks = {
  command: "ralph hook event claude",
  events: { UserPromptSubmit: 60, Stop: 60, SessionEnd: 60 },
};
const EVENTS = Object.keys(HOOKS.events);
const MOVED: Hooks = {
  command: "'/opt/my node' /opt/ralph.js hook event claude",
  events: { UserPromptSubmit: 61, Stop: 61, SessionEnd: 61 },
};

const put = (text: string, hooks = HOOKS): string => withHooks({ path: "settings.json", text }, hooks);
const take = (text: string, original: string | null = null): string =>
  withoutHooks({ path: "settings.json", text }, original);
const read = (text: string): unknown => parse(text, [], { allowTrailingComma: true });

test("a new file contains only our hooks", () => {
  expect(JSON.parse(put(""))).toEqual({
    hooks: Object.fromEntries(
      EVENTS.map((event) => [event, [{ hooks: [{ type: "command", command: HOOKS.command, timeout: 60 }] }]]),
    ),
  });
  expect(put("").endsWith("}\n")).toBe(true);
});

test("existing formatting is kept", () => {
  const text =
    '{\n\t"model": "opus", // mine\n\t"hooks": {\n\t\t"Stop": [\n\t\t\t{ "hooks": [] } // other\n\t\t]\n\t}\n}';
  expect(put(text, { ...HOOKS, events: { Stop: 60 } })).toBe(
    '{\n\t"model": "opus", // mine\n\t"hooks": {\n\t\t"Stop": [\n\t\t\t{ "hooks": [] }, // other\n\t\t\t{\n\t\t\t\t"hooks": [\n' +
      '\t\t\t\t\t{\n\t\t\t\t\t\t"type": "command",\n\t\t\t\t\t\t"command": "ralph hook event claude",\n' +
      '\t\t\t\t\t\t"timeout": 60\n\t\t\t\t\t}\n\t\t\t\t]\n\t\t\t}\n\t\t]\n\t}\n}',
  );
});

test.each<[string, string]>([
  ["two spaces", '{\n  "a": 1\n}\n'],
  ["four spaces, no newline at the end", '{\n    "a": [1, 2],\n    "hooks": {\n        "Stop": []\n    }\n}'],
  ["Windows line ends", '{\r\n  "a": 1,\r\n  "hooks": {\r\n    "Other": []\r\n  }\r\n}\r\n'],
  ["one line", '{"a":1,"hooks":{"Stop":[{"hooks":[{"type":"command","command":"x"}]}]}}'],
  ["an empty object", "{}\n"],
  ["comments", '// top\n{\n  /* a */ "a": 1 // last\n  // after\n}\n// end\n'],
  ["a comment in an empty object", '{\n  "hooks": {\n    // none yet\n  }\n}\n'],
])("%s: nothing is left after removal", (_name, text) => {
  const installed = put(text);
  expect(
    hooksIn(installed)
      .map(({ event }) => event)
      .sort(),
  ).toEqual([...EVENTS].sort());
  expect(installed.includes("\r\n") && /[^\r]\n/.test(installed)).toBe(false);
  expect(take(installed, text)).toBe(text);
});

test("hooks of another version are replaced in place, and duplicates removed", () => {
  const text = JSON.stringify({
    hooks: {
      Stop: [
        {
          hooks: [
            { type: "command", command: "/old/node /old/ralph.js hook event claude" },
            { type: "command", command: "mine" },
          ],
        },
        { hooks: [{ type: "command", command: "ralph hook event claude" }] },
      ],
      PreToolUse: [{ hooks: [{ type: "command", command: "ralph hook event claude", timeout: 3 }] }],
    },
  });
  const done = put(text, { ...MOVED, events: { Stop: 61 } });
  expect(JSON.parse(done)).toEqual({
    hooks: {
      Stop: [
        {
          hooks: [
            { type: "command", command: MOVED.command, timeout: 61 },
            { type: "command", command: "mine" },
          ],
        },
      ],
    },
  });
});

test.each<[string, string, RegExp]>([
  ["a missing comma", '{\n  "a": 1\n  "b": 2\n}', /^settings\.json:3:3: expected a comma before this/],
  ["a comment is accepted, an error after it is not", '{\n  // fine\n  "a": nope\n}', /^settings\.json:3:8: /],
  ["no object", "[1]", /^settings\.json:1:1: the file: expected an object/],
  ["hooks that are a list", '{"hooks": []}', /^settings\.json:1:11: hooks: expected an object/],
  ["an event that is an object", '{"hooks": {"Stop": {}}}', /^settings\.json:1:20: hooks\.Stop: expected a list/],
])("refused with its location: %s", (_name, text, message) => {
  expect(() => put(text)).toThrow(message);
});

const gap = fc.constantFrom("", " ", "\n", "\n  ", "\n\t", " /* why */ ", "// to the end\n");
const name: fc.Arbitrary<string> = fc.constantFrom("a", "hooks", "Stop", "model", "SessionEnd", "$schema", "ü");
const leaf = fc.constantFrom("1", "true", "null", '"text // no comment"', '"},{"', "[]", "{}");
const strange = fc.constantFrom('{"type":"command","command":"mine.sh"}', '{"type":"prompt"}');

/** Objects and lists of settings, with arbitrary text between their parts. */
const list = (item: fc.Arbitrary<string>, [open, close]: readonly [string, string]): fc.Arbitrary<string> =>
  fc
    .tuple(fc.array(fc.tuple(gap, item, gap), { maxLength: 3 }), gap, fc.constantFrom("", "", ","))
    .map(([items, end, comma]) => {
      const inside = items.map((parts) => parts.join("")).join(",");
      return `${open}${inside}${inside === "" ? "" : comma}${end}${close}`;
    });
const keyed = (item: fc.Arbitrary<string>, keys = name): fc.Arbitrary<string> =>
  fc.tuple(keys, gap, item).map(([key, between, value]) => `${JSON.stringify(key)}:${between}${value}`);
const groups = list(
  fc.tuple(list(strange, ["[", "]"])).map(([hooks]) => `{"matcher":"","hooks":${hooks}}`),
  ["[", "]"],
);
const hooksObject = list(keyed(groups, fc.constantFrom("Stop", "SessionEnd", "PreToolUse")), ["{", "}"]);
const settings = fc
  .tuple(
    gap,
    list(fc.oneof(keyed(hooksObject, fc.constant("hooks")), keyed(leaf, fc.constantFrom("a", "model"))), ["{", "}"]),
    gap,
  )
  .map((parts) => parts.join(""));

/** The last of equal keys counts, as for every reader. */
test("in any file: our hooks appear once, others are untouched, and a second run changes nothing", () => {
  fc.assert(
    fc.property(settings, fc.boolean(), (text, moved) => {
      const installed = put(text);
      expect(hooksIn(installed)).toHaveLength(EVENTS.length);
      expect(put(installed)).toBe(installed);
      const next = moved ? put(installed, MOVED) : installed;
      expect(hooksIn(next).every(({ command }) => command === (moved ? MOVED : HOOKS).command)).toBe(true);
      expect(read(take(next, text))).toEqual(read(text));
      expect(hooksIn(take(next))).toEqual([]);
    }),
    { numRuns: 200 },
  );
});

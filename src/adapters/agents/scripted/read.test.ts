import { readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { RalphError } from "../../../core/errors.ts";
import { parseScenario, readScenario } from "./read.ts";

function complaintsAbout(source: string): string[] {
  try {
    parseScenario(source, "r.yaml");
  } catch (error) {
    expect(error).toBeInstanceOf(RalphError);
    expect(error).toMatchObject({ code: "scenario-invalid", exitCode: 2 });
    return (error as RalphError).message.split("\n");
  }
  return [];
}

test.each<[string, string, RegExp]>([
  [
    "an unknown key",
    "iterations:\n  - sya: hi\n",
    /^r\.yaml:2:5: iterations\[0\]\.sya: unknown key "sya", did you mean "say"\?$/,
  ],
  [
    "a key like no other",
    "iterations:\n  - quack: hi\n",
    /^r\.yaml:2:5: iterations\[0\]\.quack: unknown key "quack" \(expected one of say,/,
  ],
  [
    "a wrong value",
    "iterations:\n  - say: hi\n  - exit:   many\n",
    /^r\.yaml:3:13: iterations\[1\]\.exit: expected an exit code, got "many"$/,
  ],
  ["an empty value", "iterations:\n  - say:\n", /^r\.yaml:2:5: iterations\[0\]\.say: expected text, got nothing$/],
  [
    "a missing key",
    "iterations:\n  - steps:\n      - write: { path: a }\n",
    /^r\.yaml:3:16: iterations\[0\]\.steps\[0\]\.write\.content: missing, expected text$/,
  ],
  [
    "a form inside a union",
    "iterations:\n  - fail: { kind: rate-limited, retryAfter: soon }\n",
    /^r\.yaml:2:45: iterations\[0\]\.fail\.retryAfter: expected a duration/,
  ],
  [
    "a key inside a union",
    "iterations:\n  - hang: { ignored: [SIGINT] }\n",
    /^r\.yaml:2:13: iterations\[0\]\.hang\.ignored: unknown key "ignored", did you mean "ignore"\?$/,
  ],
  [
    "a value that fits no form",
    "iterations:\n  - fail: ratelimited\n",
    /^r\.yaml:2:11: iterations\[0\]\.fail: expected one of rate-limited, .*, or \{ kind, detail, retryAfter \}, got "ratelimited"$/,
  ],
  [
    "an item behind an alias",
    "iterations:\n  - &a { exit: -1 }\n  - *a\n",
    /^r\.yaml:2:16: iterations\[0\]\.exit: expected 0 to 255/,
  ],
  ["an empty file", "", /^r\.yaml:1:1: expected a scenario: a map with `iterations`, got nothing$/],
  ["broken YAML", "iterations:\n  - say: [\n", /^r\.yaml:\d+:\d+: /],
  ["a key given twice", "iterations:\n  - say: a\n    say: b\n", /^r\.yaml:3:5: Map keys must be unique$/],
  ["an unknown tag", "iterations:\n  - say: !secret x\n", /^r\.yaml:2:10: Unresolved tag: !secret$/],
])("points at %s", (_name, source, complaint) => {
  expect(complaintsAbout(source)[0]).toMatch(complaint);
});

test("points at the same places in a file with Windows line ends", () => {
  expect(complaintsAbout("iterations:\r\n  - say: hi\r\n  - sya: hi\r\n")[0]).toMatch(/^r\.yaml:3:5: /);
});

test("reports several mistakes in file order, and counts the rest", () => {
  const complaints = complaintsAbout(`afterLast: x\niterations:\n${"  - say: 1\n".repeat(9)}`);
  expect(complaints.map((complaint) => complaint.split(": ")[0])).toEqual([
    "r.yaml:1:12",
    "r.yaml:3:10",
    "r.yaml:4:10",
    "r.yaml:5:10",
    "r.yaml:6:10",
    "r.yaml",
  ]);
  expect(complaints.at(-1)).toBe("r.yaml: and 5 more");
});

test("finds a mistake at the end of a scenario of a thousand lines", () => {
  const lines = ["iterations:", ...Array.from({ length: 998 }, (_, i) => `  - say: "line ${i}"`)];
  expect(parseScenario(lines.join("\n"), "r.yaml").iterations).toHaveLength(998);
  expect(complaintsAbout([...lines, "  - wiat: 5s"].join("\n"))).toEqual([
    expect.stringMatching(/^r\.yaml:1000:5: iterations\[998\]\.wiat: unknown key "wiat", did you mean "wait"\?/),
  ]);
});

test("expands anchors, within a limit", () => {
  const shared = "iterations:\n  - steps: &lie\n      - say: done\n  - steps: *lie\n";
  expect(parseScenario(shared, "r.yaml").iterations[1]?.steps).toEqual([{ do: "say", text: "done" }]);
  const bomb = [
    "a: &a [x,x,x,x,x,x,x,x,x]",
    ..."bcdefgh".split("").map((name, i) => `${name}: &${name} [${`*${"abcdefgh"[i]},`.repeat(9)}]`),
  ];
  expect(complaintsAbout(bomb.join("\n"))[0]).toMatch(/Excessive alias count/);
});

test("says which file it cannot read", async () => {
  await expect(readScenario("/nowhere/r.yaml")).rejects.toMatchObject({
    code: "scenario-unreadable",
    message: expect.stringMatching(/^\/nowhere\/r\.yaml: cannot read the scenario: ENOENT/),
  });
});

const examples = new URL("../../../../examples/scenarios/", import.meta.url);
test.each(readdirSync(examples))("the example %s is valid", async (name) => {
  expect((await readScenario(new URL(name, examples).pathname)).iterations.length).toBeGreaterThan(0);
});

test("the guide's scenario is valid", async () => {
  const guide = await readFile(new URL("../../../../docs/scripted-agent.md", import.meta.url), "utf8");
  const [, scenario = ""] = /```yaml\n([\s\S]*?)```/.exec(guide) ?? [];
  expect(parseScenario(scenario, "guide").iterations).toHaveLength(2);
});

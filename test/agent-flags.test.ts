import { expect, test } from "vitest";
import { inProcess } from "./support/in-process.ts";
import { expectRefusal } from "./support/refusal.ts";
import type { Sandbox } from "./support/sandbox.ts";

/** A sandbox whose agents write down their arguments. `claims`: whether they claim completion. */
function withAgents(claims = true) {
  const box = inProcess();
  const last = claims ? "<promise>DONE</promise>" : "not yet";
  for (const name of ["claude", "codex", "own"]) {
    box.program(name, `cat >/dev/null\nprintf '%s|' "$@" >> args.txt\necho '${last}'`);
  }
  return box;
}

/** What the agents were called with, without the text that is added to the prompt. */
const argsIn = (box: Sandbox): string => box.read("args.txt").replaceAll(/Fix it[^|]*/g, "Fix it");

const TEXT = ["--output-format", "text"];
const CLAUDE = "-p|--output-format|text|";

test.each<[string, string[], string]>([
  ["a model", ["--agent", "claude", "--model", "opus", "--", ...TEXT], `${CLAUDE}--model|opus|`],
  [
    "flags",
    ["--agent", "claude", "--", ...TEXT, "--tools", "Bash(npm test:*)", ""],
    `${CLAUDE}--tools|Bash(npm test:*)||`,
  ],
  ["a command line", ["--agent", "claude --output-format text --model 'my opus'"], `${CLAUDE}--model|my opus|`],
  ["one model", ["--agent", "claude --model a", "--model", "b", "--", ...TEXT], `${CLAUDE}--model|b|`],
  ["any flags", ["--agent", "own -a", "--", "-b", "--c=d e", "--json"], "-a|-b|--c=d e|--json|Fix it|"],
])("the command line gives an agent %s", async (_name, args, passed) => {
  const box = withAgents();
  expect((await box.ralph("run", "Fix it", ...args)).code).toBe(0);
  expect(argsIn(box)).toBe(passed);
});

test("settings may give an agent as a command line", async () => {
  const box = withAgents();
  box.write(".ralph/settings.json", '{"agent": "own --level \\"very high\\""}');
  expect((await box.ralph("run", "Fix it", "--", "-x")).code).toBe(0);
  expect((await box.ralph("run", "Fix it", "--agent", "own --level low")).code).toBe(0);
  expect(argsIn(box)).toBe("--level|very high|-x|Fix it|--level|very high|--level|low|Fix it|");
});

test("a resumed loop keeps the flags that were added to it", async () => {
  const box = withAgents(false);
  await box.ralph("run", "Fix it", "--agent", "own", "-m", "1");
  await box.ralph("resume", "-m", "2", "--", "--allow");
  await box.ralph("resume", "-m", "3");
  expect(argsIn(box)).toBe("Fix it|--allow|Fix it|--allow|Fix it|");
});

test.each<[string, string[], RegExp]>([
  ["a model of an unknown agent", ["--agent", "own", "--model", "x"], /model flag of own\n.* -- <flag> x/],
  ["a model of two agents", ["--agent", "claude", "--agent", "codex", "--model", "x"], /not for claude and codex\n/],
  ["flags of the scripted agent", ["--scenario", "s.yaml", "--", "-x"], /the scripted agent takes no flags/],
  ["an open quote", ["--agent", "claude 'x"], /a quote is not closed in claude 'x\n.*--agent "claude --model opus"/],
])("refuses %s", async (_name, args, says) => {
  const box = withAgents();
  box.write("s.yaml", "iterations: []\n");
  expectRefusal(await box.ralph("run", "Fix it", ...args), says);
});

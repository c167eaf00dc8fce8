import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { atEnd } from "./support/at-end.ts";
import { sample } from "./support/effort.ts";
import type { Sandbox } from "./support/sandbox.ts";
import { trickProject } from "./support/trick-project.ts";
import { TRICKS, type Trick } from "./support/tricks.ts";

const finished = atEnd();

/** Some tricks leave the tree unchanged: the agent also does some work, so that its claim is judged. */
const WORK = "echo work > work.txt";

function project(trick: Trick): Sandbox {
  const box = trickProject(finished, trick);
  box.program("agent", `BIN='${box.bin}' STATE='${box.state}'\n${WORK}\n${trick.does}\necho '<promise>DONE</promise>'`);
  return box;
}

test.concurrent.each(
  sample(
    TRICKS.map((trick) => [trick.outcome, trick.name, trick] as const),
    4,
  ),
)("%s: %s", async (_is, _name, trick) => {
  const box = project(trick);
  const { code, stderr } = await box.ralph("run", "--prompt", "x", "--agent", "agent", "-m", "1");
  if (trick.outcome === "caught") {
    expect(stderr).toContain(trick.says);
    expect(stderr).toContain("tampered: ");
    expect(code).toBe(1);
  } else {
    expect(stderr).not.toContain("tampered");
    expect(code).toBe(0);
  }
});

test.concurrent("the documentation has every trick and its result", () => {
  const docs = readFileSync(join(import.meta.dirname, "../docs/tricks.md"), "utf8");
  const rows = docs.split("\n").flatMap((line) => {
    const [, level, name, outcome] = /^\| (\w+|—) \| (.+?) \| (caught|passes|not caught) \|/.exec(line) ?? [];
    return level && name && outcome ? [`${level} | ${name} | ${outcome}`] : [];
  });
  const tricks = TRICKS.map(({ level, name, outcome }) => `${level === "none" ? "—" : level} | ${name} | ${outcome}`);
  expect(rows.sort()).toEqual(tricks.sort());
  const dishonest = TRICKS.filter(({ outcome }) => outcome !== "passes").length;
  expect(readFileSync(join(import.meta.dirname, "../README.md"), "utf8")).toContain(`${dishonest} tricks of agents`);
});

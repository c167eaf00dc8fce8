import { readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { sandbox } from "./support/sandbox.ts";

// Elsewhere `script` has other arguments.
const onTty = test.skipIf(process.platform !== "linux");

const HOSTILE =
  "\u001b]52;c;RVZJTA==\u0007\u001b]0;EVIL\u001b\\\u001b[2J\u001b[H\u001bPEVIL\u001b\\\u001b_EVIL\u001b\\\u009b2J\u0007\b\u202e";
const RED = "\u001b[31mred";
const RESET = "\u001b[0m";
/** What a terminal acts on, without colours and Ralph's own line ends. */
const ACTIVE = /\u001b(?!\[[\d;]*m)|[\u0007\b\u007f-\u009f\u202a-\u202e\u2066-\u2069]|\r(?!\n)|RVZJTA|EVIL/;

const OUTPUT = `${HOSTILE}real\rfake\n${RED}\nplain\nend ${HOSTILE}\n`;

/** A loop whose agent, task and settings all try to control the terminal. */
function hostileBox() {
  const box = sandbox();
  writeFileSync(box.path("output"), OUTPUT);
  writeFileSync(box.path("prompt.md"), `a ${HOSTILE}title\n`);
  box.program("agent", "cat output");
  box.write(
    ".ralph/settings.json",
    JSON.stringify({ guardrails: [{ command: ": '\u001b[2J\u009b2J\u202e'; false" }] }),
  );
  return box;
}
const RUN = "run --prompt-file prompt.md --agent agent -m 1";
/** Runs ralph's commands on one terminal. */
const onTerminal = (box: ReturnType<typeof sandbox>, variables: string, ...commands: string[]) =>
  box.shell(
    `CI=1 TERM=xterm ${variables} exec script -qefc "stty -opost cols 80 rows 40; ${commands.map((command) => `$* ${command};`).join(" ")}:" /dev/null`,
  ).ended;

onTty("on a terminal nothing but colours is left of what an agent or a repository says", async () => {
  const box = hostileBox();
  const { stdout } = await onTerminal(box, "NO_COLOR=", RUN, "logs", "why", "status last", "list");
  expect(stdout).not.toMatch(ACTIVE);
  const shown = `2Jreal\nfake\n${RED}${RESET}\nplain\nend 2J\n`;
  expect(stdout.split(shown)).toHaveLength(3);
  expect(stdout).toContain("  a  2J title\n");

  const plain = await onTerminal(box, "NO_COLOR=1", "logs", "status last --json");
  expect(plain.stdout).toContain("2Jreal\nfake\nred\nplain\nend 2J\n");
  expect(plain.stdout).not.toMatch(/[\u0080-\u009f\u202e]/);
  expect(plain.stdout).not.toContain("\u001b");
  const raw = await onTerminal(box, "NO_COLOR=", "logs --raw");
  expect(raw.stdout).toContain(OUTPUT);
});

test("a pipe gets text, and with --raw the agent's bytes", async () => {
  const box = hostileBox();
  const { stdout } = await box.ralph(...RUN.split(" "));
  expect(stdout).toBe("2Jreal\nfake\nred\nplain\nend 2J\n");
  await box.shell('"$@" >shown 2>told', ...RUN.split(" "), "--raw").ended;
  expect(readFileSync(box.path("shown"), "utf8")).toBe(OUTPUT);
});

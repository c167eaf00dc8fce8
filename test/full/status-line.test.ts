import { expect, test } from "vitest";
import { onTerminal } from "../support/pty.ts";
import { type Sandbox, sandbox } from "../support/sandbox.ts";
import { screenOf } from "../support/terminal.ts";

// Elsewhere `script` has other arguments.
const onTty = test.skipIf(process.platform !== "linux");

const SIZE = { columns: 74, rows: 8 };

/** A sandbox with an agent, and with a program that waits for a file. */
function withAgent(script: string): Sandbox {
  const box = sandbox();
  box.program("wait-for", 'while [ ! -e "$1" ]; do sleep 0.05; done');
  box.program("agent", script);
  return box;
}

/** The screen before each time something is erased from it. */
const moments = (printed: string): string[] =>
  [...printed.matchAll(/\u001b\[J/g)].map(({ index }) => screenOf(printed.slice(0, index), SIZE).join("\n"));

/** The lines without the parts that differ between runs. */
const settled = (lines: string[]): string[] =>
  lines.map((line) => line.replace(/[0-9a-f]{8}/g, "<id>").replace(/\d+m?s\b/g, "<time>"));

onTty("a status line shows the progress, and leaves nothing behind", async () => {
  const box = withAgent("printf 'Testing… '; wait-for go; echo ok; printf '\\033[31mred'; wait-for on; printf ' end'");
  box.write(".ralph/settings.json", '{"guardrails": [{"command": "wait-for checked"}]}');
  const run = onTerminal(box, SIZE, "", "run", "--prompt", "x", "--agent", "agent", "-m", "2");
  await run.saw(/loop [1-9]\d*s/);
  box.write("go", "");
  await run.saw(/red.*iteration 1/s);
  box.write("on", "");
  await run.saw(/guardrail for [1-9]\d*s: wait-for checked/);
  box.write("checked", "");
  const { code, stdout } = await run.ended;
  expect(code).toBe(1);
  const iteration = (n: number) => [
    `── iteration ${n}/2 ──`,
    "Testing… ok",
    "red end",
    "  ✓ guardrail: wait-for checked (exit code 0, <time>)",
  ];
  expect(settled(screenOf(stdout, SIZE))).toEqual([
    "ralph loop <id>  x",
    "  agent agent · up to 2 iterations · 0 checks · 1 guardrail",
    ...iteration(1),
    ...iteration(2),
    "■ iteration-limit: 2 of 2 (2 iterations, <time>)",
    "  next: ralph resume <id> -m 4",
    "  look: ralph why <id> · ralph logs <id>",
  ]);
  const seen = moments(stdout);
  expect(seen).toContainEqual(expect.stringMatching(/\nTesting…\n iteration 1\/2 \(\d+s\) · loop [1-9]\d*s$/));
  expect(seen).toContainEqual(expect.stringMatching(/\nred\n iteration 1\/2 \(\d+s\) · loop [1-9]\d*s$/));
  expect(seen).toContainEqual(
    expect.stringMatching(/\nred end\n iteration 1\/2 .* · guardrail for [1-9]\d*s: wait-for checked$/),
  );
});

onTty("tools, cost and waits are in it, as far as they fit", async () => {
  const box = withAgent("");
  box.write(
    "s.yaml",
    `iterations:
  - steps:
      - usage: { inputTokens: 2000, costUsd: 0.5 }
      - run: wait-for tool
      - fail: { kind: rate-limited, detail: later, retryAfter: 2h }
`,
  );
  const run = onTerminal(box, SIZE, "", "run", "--prompt", "x", "--scenario", "s.yaml");
  await run.saw(/tokens · shell wait-for/);
  box.write("tool", "");
  await run.saw(/waiting for the usage limit/);
  await box.ralph("cancel");
  const { code, stdout } = await run.ended;
  expect(code).toBe(130);
  const status = moments(stdout).map((screen) => screen.split("\n").at(-1));
  expect(status).toContainEqual(
    expect.stringMatching(/^ iteration 1\/10 \(\d+s\) · loop \d+s · \$0\.50, 2\.0k tokens · shell wait-for tool$/),
  );
  expect(status).toContainEqual(
    expect.stringMatching(/^ waiting for the usage limit of scripted: \d.* left, until .*\d\d:\d\d$/),
  );
});

onTty.each<[string, string, string[]]>([
  ["on a dumb terminal", "TERM=dumb", []],
  ["in continuous integration", "CI=true", []],
  ["with --quiet", "", ["--quiet"]],
  ["with JSON", "", ["--json"]],
])("there is no status line %s", async (_name, variables, flags) => {
  const box = withAgent("echo hi");
  const args = ["run", "--prompt", "x", "--agent", "agent", "-m", "1", ...flags];
  const { code, stdout } = await onTerminal(box, SIZE, variables, ...args).ended;
  expect(code).toBe(1);
  expect(stdout).not.toContain("\u001b");
});

onTty("Ctrl-C leaves complete lines", async () => {
  const box = withAgent("echo hi; wait-for nothing");
  const run = onTerminal(box, SIZE, "", "run", "--prompt", "x", "--agent", "agent");
  await run.saw(/hi.*iteration 1/s);
  const { holder } = (await box.json("status", "last")) as { holder: string };
  process.kill(Number(/\d+/.exec(holder)?.[0]), "SIGINT");
  const { code, stdout } = await run.ended;
  expect(code).toBe(130);
  expect(settled(screenOf(stdout, SIZE)).slice(2)).toEqual([
    "── iteration 1/10 ──",
    "hi",
    "SIGINT: stopping… (press again to stop immediately)",
    "■ interrupted: by SIGINT (0 iterations, <time>)",
    "  next: ralph resume <id>",
    "  look: ralph why <id> · ralph logs <id>",
  ]);
});

test("Ralph's own lines start at a new line if both streams go to the same place", async () => {
  const box = withAgent("printf 'no end'");
  const { stdout } = await box.shell('exec "$@" 2>&1', "run", "--prompt", "x", "--agent", "agent", "-m", "1").ended;
  expect(stdout).toContain("no end\n■ iteration-limit");
});

onTty("a dumb terminal gets plain text", async () => {
  const box = sandbox();
  const plain = await onTerminal(box, SIZE, "NO_COLOR= TERM=dumb", "doctor").ended;
  const coloured = await onTerminal(box, SIZE, "NO_COLOR=", "doctor").ended;
  expect(plain.stdout).not.toContain("\u001b");
  expect(coloured.stdout).toContain("\u001b[32m✓");
});

onTty("a list has one line for a loop, however long its task", async () => {
  const box = withAgent("true");
  await box.ralph("run", "--prompt", "word ".repeat(30), "--agent", "agent", "-m", "1", "-q");
  const { stdout } = await onTerminal(box, SIZE, "", "list").ended;
  expect(stdout.trimEnd().split("\r\n")).toEqual([
    expect.stringMatching(/^LOOP .* TASK$/),
    expect.stringMatching(/^\w{8} {2}iteration-limit .* word word.*…$/),
  ]);
});

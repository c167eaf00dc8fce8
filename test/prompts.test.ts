import { spawn } from "node:child_process";
import { expect, test } from "vitest";
import { full, sampled } from "./support/effort.ts";
import { inProcess } from "./support/in-process.ts";
import { expectRefusal } from "./support/refusal.ts";
import type { Sandbox } from "./support/sandbox.ts";

/** A sandbox whose agent writes down its prompt and claims completion. */
function withAgent(): Sandbox {
  const box = inProcess();
  box.program("agent", 'printf %s "$1" > prompt.txt; echo "<promise>DONE</promise>"');
  box.write(".ralph/settings.json", '{"agent": {"command": "agent"}, "completionInstructions": false}');
  return box;
}

test.each<[string, string[]]>([
  ["as an argument", ["run", "Fix it", "-q"]],
  ["as an argument without a command", ["Fix it", "-q"]],
  ["after -p", ["run", "-p", "Fix it", "-q"]],
  ["after -p without a command", ["-p", "Fix it", "-q"]],
])("a prompt is given %s", async (_name, args) => {
  const box = withAgent();
  expect((await box.ralph(...args)).code).toBe(0);
  expect(box.read("prompt.txt")).toBe("Fix it");
});

sampled(2).each<[string, string, string[]]>([
  ["a pipe", 'cat task.md | "$@"', ["run"]],
  ["a pipe that is slow", '(sleep 1.2; cat task.md) | "$@"', ["run"]],
  ["a file", '"$@" < task.md', ["run"]],
  ["a dash", 'cat task.md | "$@"', ["run", "-"]],
  ["--prompt-file -", 'cat task.md | "$@"', ["run", "--prompt-file", "-"]],
])("a prompt is read from standard input: %s", async (_name, script, args) => {
  const box = withAgent();
  box.write("task.md", "# Fix it\nfrom a file\n");
  expect((await box.shell(script, ...args).ended).code).toBe(0);
  expect(box.read("prompt.txt")).toBe("# Fix it\nfrom a file");
});

test("standard input is left alone if there is a prompt", async () => {
  const box = withAgent();
  expect((await box.shell('mkfifo idle; exec 3<>idle; "$@" <&3', "run", "Fix it").ended).code).toBe(0);
  expect(box.read("prompt.txt")).toBe("Fix it");
});

sampled(1).each([
  ["/dev/null", '"$@" < /dev/null'],
  ["an empty pipe", ': | "$@"'],
  ["closed", '"$@" <&-'],
])("no prompt is found if standard input is %s", async (_name, script) => {
  expectRefusal(await withAgent().shell(script, "run").ended, /no prompt was given\n.*ralph run "what to do"/);
});

full("a socket that nobody writes to does not count; one with text does", async () => {
  const box = withAgent();
  // The pipes of Node's own child processes are sockets.
  const start = () =>
    spawn(process.execPath, [box.ralphPath, "run"], {
      cwd: box.cwd,
      env: box.env,
      stdio: ["pipe", "ignore", "ignore"],
    });
  const ended = (child: ReturnType<typeof start>) => new Promise((resolve) => child.once("exit", resolve));
  expect(await ended(start())).toBe(2);
  const child = start();
  child.stdin?.end("Fix it");
  expect(await ended(child)).toBe(0);
  expect(box.read("prompt.txt")).toBe("Fix it");
});

import { existsSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { Leftovers } from "../../core/leftovers.ts";
import { openServices, type Services } from "./leftovers.ts";
import { runProcess } from "./process.ts";
import { send } from "./tokens.ts";

const NEVER = new AbortController().signal;
const isLinux = process.platform === "linux";

/**
 * Runs a shell script that may leave processes, which write their process id to files in its folder. It is stopped
 * when it prints `stop`.
 */
async function run(script: string, services: Services | null = null) {
  const cwd = mkdtempSync(join(tmpdir(), "ralph-leftovers-"));
  const found: Leftovers[] = [];
  const output: Buffer[] = [];
  const stop = new AbortController();
  const add = (chunk: Buffer): undefined => {
    output.push(chunk);
    if (chunk.includes("stop")) stop.abort();
  };
  const pids = () =>
    [1, 2]
      .map((n) => join(cwd, `pid${n}`))
      .filter(existsSync)
      .map((path) => Number(readFileSync(path)));
  onTestFinished(() => {
    for (const pid of pids()) send(pid, "SIGKILL");
  });
  const ended = await runProcess({
    file: "sh",
    args: ["-c", script],
    cwd,
    env: {},
    stdin: null,
    token: `test-${cwd}/`,
    timeoutMs: 60_000,
    idleTimeoutMs: null,
    graceMs: 1_000,
    stops: { soft: stop.signal, hard: NEVER },
    watchdog: null,
    leftovers: { services, found: (left) => found.push(left) },
    onStdout: add,
    onStderr: add,
  });
  const running = () => pids().filter((pid) => send(pid, 0));
  return { ended, found, pids, running, output: Buffer.concat(output).toString(), cwd };
}

const WAIT = "until [ -s pid1 ]; do sleep 0.01; done";
const SERVE = "echo $$ > pid1; exec sleep 600";

test.runIf(isLinux).each<[string, string]>([
  ["in the background", `sh -c '${SERVE}' &`],
  ["that ignores the hang-up", `nohup sh -c '${SERVE}' > /dev/null 2>&1 &`],
  ["in its own session", `setsid sh -c '${SERVE}' > /dev/null 2>&1 &`],
  ["forked twice", `echo '${SERVE}' > serve.sh; (setsid sh -c '(sh serve.sh > /dev/null 2>&1 &)' > /dev/null 2>&1 &)`],
  ["without an environment", `setsid env -i /bin/sh -c '${SERVE}' > /dev/null 2>&1 &`],
  [
    "in another folder",
    `D=$PWD; (setsid env -i /bin/sh -c "cd /; echo \\$\\$ > $D/pid1; exec sleep 600" > /dev/null 2>&1 &)`,
  ],
  [
    "with another name and closed files",
    `(setsid env -i perl -e '$0 = "kworker"; open F, ">pid1"; print F $$; close F; close STDIN; close STDOUT; close STDERR; chdir "/"; sleep 600' &)`,
  ],
  [
    "that ignores signals",
    `setsid perl -e '$SIG{TERM} = "IGNORE"; open F, ">pid1"; print F $$; close F; sleep 600 while 1' > /dev/null 2>&1 &`,
  ],
])("a process %s is ended and named", async (_kind, script) => {
  const { ended, found, pids, running } = await run(`${script}\n${WAIT}`);
  expect(ended).toEqual({ by: "exit", code: 0 });
  expect(pids()).toHaveLength(1);
  expect(running()).toEqual([]);
  expect(found).toEqual([{ count: 1, are: "ended", named: [expect.stringContaining(`(pid ${pids()[0]})`)] }]);
});

test.runIf(isLinux)("a process is ended although the command has killed its supervisor", async () => {
  const { ended, running } = await run(
    `(setsid env -i /bin/sh -c '${SERVE}' > /dev/null 2>&1 &)\n${WAIT}; kill -9 $PPID; sleep 600`,
  );
  expect(ended).toEqual({ by: "signal", signal: "SIGKILL" });
  await expect.poll(running, { timeout: 30_000 }).toEqual([]);
});

test.runIf(isLinux)("commands are supervised although the waiting supervisors were killed", async () => {
  await run("true");
  const killed = await run(
    "kill -9 $(pgrep -f '^ralph-supervisor$' -P $(ps -o ppid= -p $PPID)) $(ps -o ppid= -p $PPID)",
  );
  expect(killed.ended).toEqual({ by: "exit", code: 0 });
  const { found, running } = await run(`(setsid env -i /bin/sh -c '${SERVE}' > /dev/null 2>&1 &)\n${WAIT}`);
  expect(found).toMatchObject([{ count: 1, are: "ended" }]);
  expect(running()).toEqual([]);
});

test.runIf(isLinux)("a command can be stopped although it has stopped its supervisor", async () => {
  const { ended, running } = await run(
    `setsid env -i /bin/sh -c '${SERVE}' > /dev/null 2>&1 & ${WAIT}; kill -STOP $PPID; echo stop; sleep 600`,
  );
  expect(ended).toEqual({ by: "stop" });
  expect(running()).toEqual([]);
});

test.runIf(isLinux)("commands are supervised although the waiting supervisors were stopped", async () => {
  await run("true");
  await run("kill -STOP $(pgrep -f '^ralph-supervisor$' -P $(ps -o ppid= -p $PPID)) $(ps -o ppid= -p $PPID)");
  expect((await run("true")).ended).toEqual({ by: "exit", code: 0 });
});

test("nothing is named if nothing is left", async () => {
  const { ended, found, output } = await run("echo one; echo two >&2; sleep 0.05 & wait; exit 3");
  expect(ended).toEqual({ by: "exit", code: 3 });
  expect(found).toEqual([]);
  expect(output.split("\n").sort()).toEqual(["", "one", "two"]);
});

test.runIf(isLinux)(
  "services are kept until they are closed, and may write to the output of their command",
  async () => {
    const services = openServices();
    const chatty = "sh -c 'echo $$ > pid1; while :; do echo here; sleep 0.01; done' &";
    const { ended, found, running, pids } = await run(
      `${chatty} setsid sh -c 'echo $$ > pid2; exec sleep 600' & ${WAIT}; until [ -s pid2 ]; do sleep 0.01; done`,
      services,
    );
    expect(ended).toEqual({ by: "exit", code: 0 });
    expect(found).toMatchObject([{ are: "kept" }]);
    expect(running()).toEqual(pids());
    await services.close();
    expect(running()).toEqual([]);
  },
);

test("what cannot be started is reported", async () => {
  expect((await run("exec /no/such/program")).ended).toEqual({ by: "exit", code: 127 });
});

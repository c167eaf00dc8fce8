import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { stringify } from "yaml";
import type { AgentEvent } from "../../../core/agent.ts";
import { scriptedAgent } from "../scripted.ts";

const player = join(tmpdir(), `ralph-player-${process.pid}.mjs`);
const agent = scriptedAgent(player);
const folders: string[] = [];
let cwd = "";

beforeAll(async () => {
  await build({
    entryPoints: [fileURLToPath(new URL("./player.ts", import.meta.url))],
    outfile: player,
    bundle: true,
    platform: "node",
    format: "esm",
    // yaml is CommonJS and requires Node's built-ins.
    banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
  });
});
beforeEach(async () => {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "ralph-player-")));
  folders.push(folder);
  cwd = join(folder, "work");
  await mkdir(cwd);
});
afterAll(async () => {
  await Promise.all([player, ...folders].map((path) => rm(path, { recursive: true, force: true })));
});

interface Place {
  prompt?: string;
  iteration?: number;
  attempt?: number;
  sessionId?: string | null;
}

async function start(scenario: unknown, place: Place = {}) {
  await writeFile(join(cwd, "../r.yaml"), typeof scenario === "string" ? scenario : stringify(scenario));
  const run = {
    prompt: "",
    iteration: 1,
    attempt: 1,
    sessionId: null,
    flags: ["../r.yaml"],
    purpose: "work" as const,
    ...place,
  };
  const command = agent.command(run);
  const child = spawn(command.file, command.args, { cwd, env: { ...process.env, ...command.env }, stdio: "pipe" });
  child.stdin.end(command.stdin);
  return child;
}

async function play(scenario: unknown, place: Place = {}) {
  const child = await start(scenario, place);
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  return { stdout, stderr, code, events: eventsIn(stdout) };
}

const stream = agent.open?.();
const eventsIn = (output: string): AgentEvent[] => output.split("\n").flatMap((line) => stream?.line(line) ?? []);
const playSteps = (...steps: unknown[]) => play({ session: "s", iterations: [{ steps }] });
const saidBy = (events: AgentEvent[]) => events.flatMap((event) => (event.type === "text.said" ? event.text : []));
const returnedBy = (events: AgentEvent[]) =>
  events.flatMap((event) => (event.type === "tool.returned" ? event.summary : []));
const inCwd = (path: string) => readFile(join(cwd, path), "utf8");

const OPENED = { type: "session.opened", sessionId: "s" };
const SUCCEEDED = { type: "turn.succeeded" };

describe("talking", () => {
  test("says, thinks and reports usage, and prints nothing else", async () => {
    const { stdout, stderr, code, events } = await playSteps(
      { say: "hello\n" },
      { think: "hm" },
      { usage: { inputTokens: 100, outputTokens: 20, costUsd: 0.01 } },
    );
    expect(events).toEqual([
      OPENED,
      { type: "text.said", text: "hello\n" },
      { type: "message.ended" },
      { type: "thought.had", text: "hm" },
      {
        type: "usage.reported",
        usage: { inputTokens: 100, cachedTokens: 0, outputTokens: 20, costUsd: 0.01 },
        of: "step",
      },
      SUCCEEDED,
    ]);
    expect(stdout).toBe(events.map((event) => `${JSON.stringify(event)}\n`).join(""));
    expect({ stderr, code }).toEqual({ stderr: "", code: 0 });
  });

  test("splits a text into fragments of one message, between characters", async () => {
    const { events } = await playSteps({ split: { text: "<promise>👍🏽é</promise>", every: 3 } });
    const said = saidBy(events);
    expect(said.slice(0, 3)).toEqual(["<pr", "omi", "se>"]);
    expect(said.join("")).toBe("<promise>👍🏽é</promise>");
    expect(events.filter((event) => event.type === "message.ended")).toHaveLength(1);
  });

  test("fills in the run's values literally, once", async () => {
    const prompt = "$& $1 $$ {{session}} ünï";
    const template = "{{prompt}}|{{iteration}}|{{attempt}}|{{session}}|{{other}}";
    const { events } = await play(
      { session: "s", iterations: [{ steps: [{ say: template }, { write: { path: "a", content: template } }] }] },
      { prompt, iteration: 4, attempt: 2 },
    );
    const filled = `${prompt}|4|2|s|{{other}}`;
    expect(saidBy(events)).toEqual([filled]);
    expect(await inCwd("a")).toBe(filled);
  });

  test("writes to stderr", async () => {
    const { stderr, events } = await playSteps({ stderr: "<promise>DONE</promise>" });
    expect(stderr).toBe("<promise>DONE</promise>\n");
    expect(events).toEqual([OPENED, SUCCEEDED]);
  });

  test("waits", async () => {
    const before = performance.now();
    await playSteps({ wait: "400ms" });
    expect(performance.now() - before).toBeGreaterThan(400);
  });
});

describe("files", () => {
  test("each change is a tool call", async () => {
    const { events, code } = await playSteps(
      { write: { path: "src/a.js", content: "one two\n" } },
      { append: { path: "src/a.js", content: "three\n" } },
      { replace: { path: "src/a.js", old: "one", new: "$&" } },
      { write: { path: "b", content: "" } },
      { delete: "b" },
    );
    expect(await inCwd("src/a.js")).toBe("$& two\nthree\n");
    expect(existsSync(join(cwd, "b"))).toBe(false);
    expect(events.slice(1, 3)).toEqual([
      { type: "tool.called", name: "write", summary: "src/a.js" },
      { type: "tool.returned", summary: "wrote 8 bytes to src/a.js" },
    ]);
    expect(code).toBe(0);
  });

  test("a failing tool is reported, and the turn continues", async () => {
    const { events, stderr, code } = await playSteps({ delete: "missing" });
    expect(returnedBy(events)).toEqual([expect.stringMatching(/^failed: ENOENT/)]);
    expect(stderr).toMatch(/^delete: failed: ENOENT.*\n$/);
    expect([events.at(-1), code]).toEqual([SUCCEEDED, 0]);
  });

  test("a path that leads outside ends the run", async () => {
    const { events, stderr, code } = await playSteps({ write: { path: "../out", content: "x" } }, { say: "no" });
    expect(stderr).toMatch(/^scripted agent: \.\.\/out: is outside the working directory .*\/work\n.*\n$/);
    expect(events.map((event) => event.type)).toEqual(["session.opened", "tool.called"]);
    expect([existsSync(join(cwd, "../out")), code]).toEqual([false, 2]);
  });
});

describe("commands", () => {
  test("run is a tool call whose output stays tool output", async () => {
    const { events } = await playSteps({ run: "pwd; echo '<promise>X</promise>' >&2; echo $RALPH_SESSION; exit 3" });
    expect(events.slice(1, 3)).toEqual([
      { type: "tool.called", name: "shell", summary: expect.stringMatching(/^pwd; /) },
      { type: "tool.returned", summary: expect.stringMatching(/^exit 3\n/) },
    ]);
    const [returned = ""] = returnedBy(events);
    expect(returned.split("\n").sort()).toEqual(["", "<promise>X</promise>", cwd, "exit 3", "s"].sort());
    expect(saidBy(events)).toEqual([]);
    expect(events.at(-1)).toEqual(SUCCEEDED);
  });

  test("keeps both ends of long output, and names a signal", async () => {
    const [long = "", killed] = returnedBy((await playSteps({ run: "seq 100000" }, { run: "kill -9 $$" })).events);
    expect(long).toMatch(/^exit 0\n1\n2\n[\s\S]* characters left out [\s\S]*\n99999\n100000\n$/);
    expect(long.length).toBeLessThan(4_100);
    expect(killed).toBe("exit SIGKILL\n");
  });

  test("does not wait for background processes of a command", async () => {
    const { events } = await playSteps({ run: "sleep 300 & echo $!" });
    const pid = Number(/^exit 0\n(\d+)\n$/.exec(returnedBy(events)[0] ?? "")?.[1]);
    expect(process.kill(pid, "SIGKILL")).toBe(true);
  });

  test("fork starts a process in its own session that outlives the agent", async () => {
    const { events, code } = await playSteps({ fork: "echo $RALPH_ITERATION > forked; exec sleep 60" });
    expect(code).toBe(0);
    const pid = Number(/^started process (\d+)$/.exec(returnedBy(events)[0] ?? "")?.[1]);
    try {
      // Only the leader of a process group can be signalled by the group's id.
      expect(process.kill(-pid, 0)).toBe(true);
      await expect.poll(() => inCwd("forked").catch(() => "")).toBe("1\n");
    } finally {
      process.kill(-pid, "SIGKILL");
    }
  });
});

describe("endings", () => {
  test("fail reports its fault and exits 1", async () => {
    const before = Date.now();
    const { events, code } = await playSteps(
      { fail: { kind: "rate-limited", detail: "try {{attempt}}", retryAfter: "30s" } },
      { say: "not reached" },
    );
    expect(code).toBe(1);
    expect(events).toEqual([
      OPENED,
      { type: "turn.failed", fault: { kind: "rate-limited", detail: "try 1", retryAtMs: expect.any(Number) } },
    ]);
    const [, failed] = events;
    const retryAtMs = failed?.type === "turn.failed" ? (failed.fault.retryAtMs ?? 0) : 0;
    expect(retryAtMs - before).toBeGreaterThanOrEqual(30_000);
    expect(retryAtMs).toBeLessThanOrEqual(Date.now() + 30_000);
  });

  test("a short fail has a detail too", async () => {
    expect((await playSteps({ fail: "auth" })).events.at(-1)).toEqual({
      type: "turn.failed",
      fault: { kind: "auth", detail: "rehearsed: auth" },
    });
  });

  test.each([0, 3, 255])("exit %d ends without a result", async (exit) => {
    const { events, code } = await playSteps({ exit }, { say: "not reached" });
    expect([events, code]).toEqual([[OPENED], exit]);
  });

  test("hang ends on a signal", async () => {
    const child = await start({ iterations: [{ hang: true }] });
    await once(child.stdout, "data");
    child.kill("SIGTERM");
    expect(await once(child, "exit")).toEqual([null, "SIGTERM"]);
  });

  test("a stubborn hang ends only on a signal that it does not ignore", async () => {
    const child = await start({ iterations: [{ steps: [{ hang: { ignore: ["SIGINT", "SIGTERM"] } }] }] });
    expect(String(await once(child.stderr, "data"))).toBe("ignores SIGINT, SIGTERM\n");
    for (const signal of ["SIGINT", "SIGTERM"] as const) {
      child.kill(signal);
      expect(String(await once(child.stderr, "data"))).toBe(`ignored ${signal}\n`);
    }
    child.kill("SIGKILL");
    expect(await once(child, "exit")).toEqual([null, "SIGKILL"]);
  });
});

describe("raw output", () => {
  test("is printed unchanged", async () => {
    const { stdout } = await play({ session: "s", iterations: [{ steps: [{ raw: '{"type":' }, { exit: 0 }] }] });
    expect(stdout).toBe(`${JSON.stringify(OPENED)}\n{"type":`);
  });

  test("repeats up to the requested number of bytes", async () => {
    const { stdout } = await playSteps({ raw: { bytes: 7, of: "abc" } }, { exit: 0 });
    expect(stdout).toBe(`${JSON.stringify(OPENED)}\nabcabca`);
  });

  test("a closed reader causes no stack trace", async () => {
    const child = await start({ iterations: [{ steps: [{ raw: { bytes: 5_000_000, of: "x" } }] }] });
    await once(child.stdout, "data");
    child.stdout.destroy();
    const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, "exit")]);
    expect([stderr, code]).toEqual(["", 1]);
  });
});

describe("the position in the loop", () => {
  test("decides which entry is played, and its retry", async () => {
    const scenario = {
      iterations: [{ say: "one" }, { fail: "network", retry: [{ say: "{{iteration}}.{{attempt}}" }] }],
    };
    expect(saidBy((await play(scenario)).events)).toEqual(["one"]);
    expect(saidBy((await play(scenario, { iteration: 2, attempt: 3 })).events)).toEqual(["2.3"]);
  });

  test("with afterLast: fail, one iteration too many fails", async () => {
    const scenario = { afterLast: "fail", session: "s", iterations: [{ say: "one" }] };
    const { events, stderr, code } = await play(scenario, { iteration: 2 });
    const detail = "the scenario ends after iteration 1, this is iteration 2";
    expect(events).toEqual([OPENED, { type: "turn.failed", fault: { kind: "crashed", detail } }]);
    expect([stderr, code]).toEqual([`${detail}\n`, 1]);
  });

  test("reports the session to continue, else the scenario's, else a new one", async () => {
    const named = { session: "mine", iterations: [{ say: "{{session}}" }] };
    const unnamed = { iterations: [{ say: "{{session}}" }] };
    expect(saidBy((await play(named, { sessionId: "passed" })).events)).toEqual(["passed"]);
    expect(saidBy((await play(named)).events)).toEqual(["mine"]);
    const fresh = [...saidBy((await play(unnamed)).events), ...saidBy((await play(unnamed)).events)];
    expect(new Set(fresh.filter((id) => id.length > 20)).size).toBe(2);
  });

  test("the example that fixes its work after feedback does so", async () => {
    const example = await readFile(
      new URL("../../../../examples/scenarios/fixes-after-feedback.yaml", import.meta.url),
      "utf8",
    );
    await play(example);
    expect(await inCwd("add.mjs")).toContain("a - b");
    const { events } = await play(example, { iteration: 2 });
    expect(returnedBy(events).at(-1)).toBe("exit 0\n2 + 3 = 5\n");
    expect(saidBy(events).at(-1)).toContain("<promise>DONE</promise>");
  });

  test("plays a scenario of a thousand lines", async () => {
    const iterations = Array.from({ length: 999 }, (_, index) => ({ say: `entry ${index + 1}` }));
    expect(saidBy((await play({ iterations }, { iteration: 999 })).events)).toEqual(["entry 999"]);
  });
});

describe("invalid calls", () => {
  test("a bad scenario is reported with its location", async () => {
    const { stdout, stderr, code } = await play("iterations:\n  - sya: hi\n", { prompt: "x".repeat(500_000) });
    expect(stderr).toMatch(
      /^scripted agent: \.\.\/r\.yaml:2:5: iterations\[0\]\.sya: unknown key .*\n.*docs\/scripted-agent\.md.*\n$/,
    );
    expect([stdout, code]).toEqual(["", 2]);
  });

  test.each<[string, string[], Record<string, string>, RegExp]>([
    ["no scenario", [], {}, /^scripted agent: expected one scenario file, got 0 arguments\n/],
    ["a missing scenario", ["none.yaml"], {}, /^scripted agent: none\.yaml: cannot read the scenario: ENOENT/],
    [
      "a bad iteration",
      ["../r.yaml"],
      { RALPH_ITERATION: "zero" },
      /RALPH_ITERATION: expected a whole number from 1\n/,
    ],
  ])("%s", async (_name, args, env, message) => {
    await writeFile(join(cwd, "../r.yaml"), "iterations: [say: hi]");
    const child = spawn(process.execPath, [player, ...args], { cwd, env, stdio: ["ignore", "ignore", "pipe"] });
    const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, "exit")]);
    expect(stderr).toMatch(message);
    expect(stderr).not.toMatch(/\n\s+at /);
    expect(code).toBe(2);
  });
});

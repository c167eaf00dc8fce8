import { EventEmitter } from "node:events";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable, Writable } from "node:stream";
import { expect, onTestFinished, test } from "vitest";
import { environment } from "../../adapters/io/environment.ts";
import { VERSION } from "../../core/version.ts";
import { runCli } from "./run-cli.ts";

/** Runs a command in its own folder and environment; returns its exit code and output. */
async function run(args: readonly string[], env: NodeJS.ProcessEnv = {}, input = "") {
  const cwd = realpathSync(mkdtempSync(join(tmpdir(), "ralph-cli-")));
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
  const printed = { out: "", err: "" };
  const into = (name: keyof typeof printed) =>
    new Writable({
      write(chunk, _encoding, done) {
        printed[name] += chunk;
        done();
      },
    });
  const signals = new EventEmitter();
  const code = await runCli(args, {
    stdin: Readable.from([Buffer.from(input)]),
    stdout: into("out"),
    stderr: into("err"),
    env: { PATH: process.env.PATH, RALPH_STATE_DIR: join(cwd, "state"), ...env },
    pid: process.pid,
    cwd: () => cwd,
    kill: () => undefined,
    on: (event, listener) => signals.on(event, listener),
    off: (event, listener) => signals.off(event, listener),
  });
  return { code, cwd, ...printed };
}

const spec = (id: string) => run(["spec", "create", id, "--file", "-", "--json"], {}, `# ${id}\n`);

test("commands with different folders, environments and input run at the same time in one process", async () => {
  const before = { ...process.env };
  const made = await Promise.all(["one", "two", "three"].map(spec));
  expect(made.map(({ code, out }) => [code, JSON.parse(out).title])).toEqual([
    [0, "one"],
    [0, "two"],
    [0, "three"],
  ]);
  expect(process.env).toEqual(before);
  expect(environment()).toBe(process.env);
});

test("each command sees only the journal of its own state folder", async () => {
  const { cwd } = await spec("mine");
  const there = { RALPH_STATE_DIR: join(cwd, "state") };
  expect((await run(["spec", "list"], there)).out).toMatch(/mine/);
  expect((await run(["spec", "list"])).out).toMatch(/^No specs here yet/);
});

test("an error is reported on its own standard error, without colours if there is no terminal", async () => {
  expect(await run(["status", "nope"])).toMatchObject({
    code: 2,
    out: "",
    err: expect.stringMatching(/^error: .+\n {2}help: /),
  });
});

test("help and version go to its own standard output", async () => {
  expect(await run(["--version"])).toMatchObject({ code: 0, out: `${VERSION}\n`, err: "" });
  expect(await run(["run", "--help"])).toMatchObject({
    code: 0,
    out: expect.stringContaining("--max-iterations"),
    err: "",
  });
});

test("a host's events are answered in this process", async () => {
  const { cwd } = await run(["--version"]);
  const session = { session_id: "s", cwd, transcript_path: join(cwd, "none.jsonl") };
  const tell = (payload: object, env: NodeJS.ProcessEnv = {}) =>
    run(
      ["hook", "event", "claude"],
      { RALPH_STATE_DIR: join(cwd, "state"), ...env },
      JSON.stringify({ ...session, ...payload }),
    );
  const stop = { hook_event_name: "Stop", prompt_id: "2", last_assistant_message: "<promise>DONE</promise>" };
  expect(await tell(stop)).toMatchObject({ code: 0, out: "", err: "" });
  const prompt = "/ralph Do it --max-iterations 3";
  const begun = await tell({ hook_event_name: "UserPromptSubmit", prompt_id: "1", prompt });
  expect(begun).toMatchObject({ code: 0, out: expect.stringContaining("Max 3 iterations"), err: "" });
  expect((await tell(stop, { RALPH_RUN: "loop/1" })).out).toBe("");
  expect((await tell(stop)).out).toContain("Ralph Loop Complete!");
  expect(await run(["hook", "event", "vim"])).toMatchObject({
    code: 1,
    out: "",
    err: expect.stringMatching(/unknown/),
  });
});

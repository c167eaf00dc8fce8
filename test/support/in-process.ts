import { EventEmitter } from "node:events";
import { resolve } from "node:path";
import { Readable, Writable } from "node:stream";
import { type Ended, type Finished, type Sandbox, sandbox } from "./sandbox.ts";

const CLI = resolve(import.meta.dirname, "../../dist/cli.js");

export interface InProcessSandbox extends Sandbox {
  /** `ralph` with other environment variables. */
  command(args: readonly string[], env?: Record<string, string | undefined>): Promise<Ended>;
  /** The built command in a separate process. */
  ralphProcess: Sandbox["ralph"];
}

/**
 * A sandbox whose `ralph` and `json` run in this process: for refusals, help and views, which start nothing
 * that must be killed. What starts a process (`start`, `shell`, `terminal`, `ralphProcess`) runs the built command.
 */
export function inProcess(finished?: Finished): InProcessSandbox {
  const box = sandbox(finished);
  const command: InProcessSandbox["command"] = (args, env = {}) =>
    runInProcess(args, { cwd: box.cwd, env: { ...box.env, ...env } });
  const ralph = (...args: string[]) => command(args);
  return {
    ...box,
    command,
    ralph,
    ralphProcess: box.ralph,
    async json(...args) {
      const { stdout, stderr, code } = await ralph(...args, "--json");
      if (stdout === "") throw new Error(`no JSON (exit code ${code}): ${stderr}`);
      return JSON.parse(stdout);
    },
  };
}

interface InProcess {
  cwd: string;
  env: NodeJS.ProcessEnv;
  /** Its standard input. */
  input?: string;
}

/** Runs a built command in this process. */
export async function runInProcess(args: readonly string[], { cwd, env, input = "" }: InProcess): Promise<Ended> {
  const { runCli }: typeof import("../../src/faces/cli/run-cli.ts") = await import(CLI);
  const [stdout, stderr] = [capture(), capture()];
  const signals = new EventEmitter();
  const code = await runCli(args, {
    stdin: Readable.from([Buffer.from(input)]),
    stdout,
    stderr,
    env,
    pid: process.pid,
    cwd: () => cwd,
    kill: () => undefined,
    on: (event, listener) => signals.on(event, listener),
    off: (event, listener) => signals.off(event, listener),
  });
  return { code, signal: null, stdout: stdout.text(), stderr: stderr.text() };
}

function capture(): Writable & { text(): string } {
  const chunks: Buffer[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk);
      done();
    },
  });
  return Object.assign(stream, { text: () => Buffer.concat(chunks).toString("utf8") });
}

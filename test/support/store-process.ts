import { type ChildProcess, spawn } from "node:child_process";
import { resolve } from "node:path";
import { bundle } from "./bundle.ts";

const ROOT = resolve(import.meta.dirname, "../..");

let bundled: Promise<string> | undefined;

export interface StoreProcess {
  child: ChildProcess;
  /** Resolves with the first message it sends. */
  ready: Promise<unknown>;
  /** Resolves with the first line it prints. */
  said: Promise<string>;
  ended: Promise<{ code: number | null; stderr: string }>;
}

/** Starts a process that uses the store; see `test/fixtures/store-program.ts`. */
export async function storeProcess(...args: readonly string[]): Promise<StoreProcess> {
  bundled ??= bundle("store-program.ts");
  const child = spawn(process.execPath, ["--input-type=module", "-", ...args], {
    cwd: ROOT,
    stdio: ["pipe", "pipe", "pipe", "ipc"],
  });
  child.stdin?.end(await bundled);
  let stderr = "";
  child.stderr?.setEncoding("utf8").on("data", (text) => {
    stderr += text;
  });
  const ended = new Promise<{ code: number | null; stderr: string }>((done) => {
    child.once("close", (code) => done({ code, stderr }));
  });
  const said = new Promise<string>((done, fail) => {
    let text = "";
    child.stdout?.setEncoding("utf8").on("data", (piece) => {
      text += piece;
      if (text.includes("\n")) done(text.slice(0, text.indexOf("\n")));
    });
    ended.then((end) => fail(new Error(`it said nothing: ${JSON.stringify(end)}`)));
  });
  const ready = new Promise((done) => child.once("message", done));
  return { child, ready, said, ended };
}

import { type ChildProcess, spawn } from "node:child_process";
import { createReadStream, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { StringDecoder } from "node:string_decoder";
import { excerpt } from "../../core/excerpt.ts";
import { quoted } from "../../core/shell.ts";
import { environment, RUN_VARIABLE, temporaryFolder } from "./environment.ts";
import { lineSplitter } from "./lines.ts";
import type { ProgramRequest, ProgramRun, Starter } from "./program.ts";

const MAX_CHARS = 1 << 20;
const SMALL_BYTES = 1 << 18;
const MOST_LINE_BYTES = 100;
const NOT_STARTED = 127;
/** Higher exit codes mean that a signal ended the program; git itself exits with 128 and 129. */
const MOST_CODE = 129;

/**
 * Starts short programs through a small shell. A fork copies the page tables of its parent: for a large process that
 * takes longer than most git commands and blocks everything else. When this process dies, the shell waits for running
 * programs, cleans up and exits.
 */
export function openStarter(): Starter {
  const folder = mkdtempSync(join(temporaryFolder(), "ralph-start-"));
  const waiting = new Map<number, (code: number | null) => void>();
  const shell = startShell(folder, (n, code) => waiting.get(n)?.(code));
  let last = 0;
  let isOpen = true;
  const gone = () => {
    isOpen = false;
    for (const end of waiting.values()) end(null);
  };
  const ended = new Promise<void>((resolve) => {
    for (const event of ["error", "close"]) shell.once(event, () => resolve(gone()));
  });
  return {
    isOpen: () => isOpen,
    run(request) {
      const n = ++last;
      const place = join(folder, String(n));
      return new Promise((resolve) => {
        const leave = () => end(null);
        const end = (code: number | null) => {
          waiting.delete(n);
          request.quit?.removeEventListener("abort", leave);
          resolve(resultOf(request, code, place));
        };
        waiting.set(n, end);
        request.quit?.addEventListener("abort", leave);
        if (request.quit?.aborted) end(null);
        else shell.stdin?.write(commandOf(request, n, place));
      });
    },
    close() {
      isOpen = false;
      shell.stdin?.end();
      return ended;
    },
  };
}

function startShell(folder: string, ended: (n: number, code: number) => void): ChildProcess {
  const env: NodeJS.ProcessEnv = { ...environment(), LC_ALL: "C" };
  delete env[RUN_VARIABLE];
  const shell = spawn("sh", ["-s"], { detached: true, stdio: ["pipe", "pipe", "ignore"], env, cwd: "/" });
  // The shell may have been killed; writes are lost then.
  shell.stdin.on("error", () => undefined);
  shell.stdin.write(`trap 'wait; rm -rf ${quoted(folder).replaceAll("'", `'\\''`)}' EXIT\n`);
  const lines = lineSplitter(MOST_LINE_BYTES, (line) => {
    const [n = "", code = ""] = line.toString().split(" ");
    ended(Number(n), Number(code));
  });
  shell.stdout.on("data", lines.add);
  return shell;
}

/** The shell command that runs one program in the background and prints its number and exit code when it has exited. */
function commandOf(
  { file, args, cwd, env = {}, stdin = "/dev/null" }: ProgramRequest,
  n: number,
  place: string,
): string {
  const names = Object.entries(env).map(([name, value]) => `export ${nameOf(name)}=${quoted(value)};`);
  const program = [file, ...args].map(quoted).join(" ");
  const run = `cd ${quoted(cwd)} || exit ${NOT_STARTED}; ${names.join(" ")} exec ${program}`;
  // `jobs` makes the shell drop finished jobs; otherwise the list grows and slows down every start.
  return `jobs >/dev/null; { (${run}) <${quoted(stdin)} >${quoted(`${place}.out`)} 2>${quoted(`${place}.err`)}; echo "${n} $?"; } &\n`;
}

function nameOf(name: string): string {
  if (/^[A-Za-z_]\w*$/.test(name)) return name;
  throw new Error(`${name} is not a variable name`);
}

async function resultOf({ take }: ProgramRequest, code: number | null, place: string): Promise<ProgramRun> {
  const [out, err] = [`${place}.out`, `${place}.err`];
  const [stdout, stderr] = [excerpt(MAX_CHARS), excerpt(MAX_CHARS)];
  const decoder = new StringDecoder("utf8");
  await handOver(out, take ?? ((chunk) => stdout.add(decoder.write(chunk))));
  await handOver(err, (chunk) => stderr.add(chunk.toString("utf8")));
  for (const path of [out, err]) rmSync(path, { force: true });
  const isCode = code !== null && code !== NOT_STARTED && code <= MOST_CODE;
  return { code: isCode ? code : null, stdout: stdout.text(), stderr: stderr.text() };
}

/** Reads small output at once and large output in pieces. */
async function handOver(path: string, take: (chunk: Buffer) => void): Promise<void> {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size === 0) return;
  if (size <= SMALL_BYTES) return take(readFileSync(path));
  for await (const chunk of createReadStream(path)) take(chunk as Buffer);
}

import { randomBytes } from "node:crypto";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeFolder } from "../adapters/io/folder.ts";
import type { Launcher } from "../adapters/io/launcher.ts";
import { contentAt, namesIn } from "../adapters/io/look.ts";
import { printable } from "../core/ansi.ts";
import { EXIT, RalphError } from "../core/errors.ts";
import { shorten } from "../core/excerpt.ts";
import { fieldOf } from "../core/field.ts";
import { jsonIn } from "../core/json-text.ts";
import { OUTPUT_LIMIT } from "../core/output-limit.ts";
import type { Workspace } from "../core/workspace.ts";

/** Another process of Ralph, which continues when this one ends. */
interface StartRequest<Begun> {
  launcher: Launcher;
  /** The path of the program. */
  program: string;
  workspace: Pick<Workspace, "cwd" | "folder">;
  /** The command with its options; `--json` is added. */
  args: readonly string[];
  /** What a line of its output shows once its work has begun; null: not yet. */
  begun(line: unknown): Begun | null;
}

const LOOK_MS = 40;
/** How long to wait for its work to begin. Afterwards, it is only known that it was started. */
const PATIENCE_MS = 25_000;
/** What it may print. */
const MOST_CHARS = 10_000_000;
const MOST_LOGS = 20;

/** Starts `ralph` and waits until its work has begun. Its own error is thrown. */
export async function startRalph<Begun>(
  request: StartRequest<Begun>,
  patienceMs = PATIENCE_MS,
): Promise<{ begun: Begun | null; log: string }> {
  const { launcher, program, workspace, args, begun } = request;
  const log = newLog(join(workspace.folder.root, "started"), args[0] ?? "");
  const { exited } = launcher.launch({
    ...{ file: process.execPath, args: [program, ...args, "--json"], cwd: workspace.cwd, log },
    env: { [OUTPUT_LIMIT]: String(MOST_CHARS) },
  });
  let end: { code: number | null } | null = null;
  exited.then((code) => {
    end = { code };
  });
  for (const giveUpMs = Date.now() + patienceMs; ; ) {
    // Read before its output: what it printed last is not missed.
    const ended: { code: number | null } | null = end;
    const found = firstOf(linesIn(log), begun);
    if (found !== null) return { begun: found, log };
    if (ended !== null) throw endedEarly(log, ended);
    if (Date.now() > giveUpMs) return { begun: null, log };
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}

/** Names begin with the time, so that the oldest comes first. */
function newLog(folder: string, name: string): string {
  makeFolder(folder, 0o700);
  const logs = namesIn(folder);
  for (const old of logs.slice(0, Math.max(0, logs.length - MOST_LOGS + 1))) rmSync(join(folder, old), { force: true });
  const log = join(folder, `${Date.now()}-${name}-${randomBytes(3).toString("hex")}.log`);
  writeFileSync(log, "", { flag: "wx", mode: 0o600 });
  return log;
}

const linesIn = (log: string): string[] => (contentAt(log)?.toString("utf8") ?? "").split("\n").slice(0, -1);

function firstOf<Begun>(lines: readonly string[], begun: (line: unknown) => Begun | null): Begun | null {
  for (const text of lines) {
    const line = jsonIn(text);
    if (fieldOf(line, "type") === "error") throw errorIn(line);
    const found = line === null ? null : begun(line);
    if (found !== null) return found;
  }
  return null;
}

function errorIn(line: unknown): RalphError {
  const said = (key: string) => printable(String(fieldOf(line, key) ?? ""));
  return new RalphError(said("code") || "start-failed", said("message"), {
    hint: said("hint") || undefined,
    exitCode: EXIT.stopped,
  });
}

const TAIL_CHARS = 300;

function endedEarly(log: string, { code }: { code: number | null }): RalphError {
  const last = shorten(printable(linesIn(log).slice(-3).join(" ")), TAIL_CHARS);
  const how = code === null ? "it was not seen to start" : `exit code ${code}`;
  return new RalphError("start-failed", `ralph ended before its work began (${how})${last ? `: ${last}` : ""}`, {
    hint: `its output is in ${log}`,
    exitCode: EXIT.stopped,
  });
}

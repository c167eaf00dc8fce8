import { cut } from "../../core/excerpt.ts";
import type { Settled } from "../../core/loop/events.ts";
import { runProgram } from "../io/program.ts";
import { NO_PROMPTS } from "./repository.ts";

/** A remote that does not answer must not block the loop for longer. */
const TIMEOUT_MS = 5 * 60_000;

/** Pushes with the user's arguments. A push is idempotent, so one that may have happened is repeated. */
export async function push(cwd: string, args: readonly string[]): Promise<Settled> {
  const request = { file: "git", args: ["push", "--porcelain", ...args], cwd, env: NO_PROMPTS, timeoutMs: TIMEOUT_MS };
  const { code, stdout, stderr } = await runProgram(request);
  if (code === null) return { is: "failed", detail: stderr.trim() || "the remote did not answer in time" };
  const refs = stdout.split("\n").filter((line) => /^[ +\-*!=]\t/.test(line));
  if (code !== 0) return { is: "failed", detail: complaint(refs, stderr) };
  if (refs.every((line) => line.startsWith("="))) return { is: "skipped", detail: "the remote is already up to date" };
  return { is: "done", detail: refs.map((line) => line.split("\t").slice(1).join(" ")).join(", ") };
}

/** The rejected refs first, then git's message without its hints. */
function complaint(refs: readonly string[], stderr: string): string {
  const refused = refs.filter((line) => line.startsWith("!")).map((line) => line.split("\t").slice(1).join(" "));
  const said = stderr.split("\n").filter((line) => line.trim() !== "" && !line.startsWith("hint:"));
  return cut([...refused, ...said].filter(Boolean).join("\n").trim(), 500);
}

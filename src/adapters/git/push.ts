import { cut } from "../../core/excerpt.ts";
import type { Settled } from "../../core/loop/events.ts";
import { runProgram } from "../io/program.ts";
import { NO_PROMPTS } from "./repository.ts";

/** A remote that does not answer must not hold the loop for longer. */
const TIMEOUT_MS = 5 * 60_000;

/**
 * Pushes, with the words the user wrote after `push`. Done twice it does no harm: what the remote has already is not
 * sent again, so a push that may have happened is simply tried once more.
 */
export async function push(cwd: string, args: readonly string[]): Promise<Settled> {
  const { code, stdout, stderr } = await runProgram({
    file: "git",
    args: ["push", "--porcelain", ...args],
    cwd,
    env: NO_PROMPTS,
    timeoutMs: TIMEOUT_MS,
  });
  if (code === null) return { is: "failed", detail: stderr.trim() || "the remote did not answer in time" };
  const refs = stdout.split("\n").filter((line) => /^[ +\-*!=]\t/.test(line));
  if (code !== 0) return { is: "failed", detail: complaint(refs, stderr) };
  if (refs.every((line) => line.startsWith("="))) return { is: "skipped", detail: "the remote has everything already" };
  return { is: "done", detail: refs.map((line) => line.split("\t").slice(1).join(" ")).join(", ") };
}

/** Git's advice is for people at a prompt; the refusal itself comes first. */
function complaint(refs: readonly string[], stderr: string): string {
  const refused = refs.filter((line) => line.startsWith("!")).map((line) => line.split("\t").slice(1).join(" "));
  const said = stderr
    .split("\n")
    .filter((line) => line.trim() !== "" && !line.startsWith("hint:"))
    .join("\n");
  return cut([...refused, said].filter(Boolean).join("\n").trim(), 500);
}

import { existsSync } from "node:fs";
import { platform } from "node:os";
import { join } from "node:path";
import { KINDS, knownKinds } from "../../../../adapters/agents/agent.ts";
import type { AgentKind } from "../../../../adapters/agents/kind.ts";
import { environment, homeFolder } from "../../../../adapters/io/environment.ts";
import { findOnPath } from "../../../../adapters/io/find-on-path.ts";
import { runProgram } from "../../../../adapters/io/program.ts";
import { printable } from "../../../../core/ansi.ts";
import { shorten } from "../../../../core/excerpt.ts";
import type { DoctorFinding } from "./finding.ts";

const PATIENCE_MS = 5_000;
const MOST_CHARS = 80;

/** The known agents on PATH with their versions, checked concurrently. */
export async function agentFindings(cwd: string, kinds = KINDS): Promise<DoctorFinding[]> {
  const known = await knownKinds(kinds);
  const findings = known.map((kind) => {
    const file = findOnPath(kind.name, cwd);
    return file ? agentFinding(kind, file, cwd) : null;
  });
  return (await Promise.all(findings)).filter((finding) => finding !== null);
}

async function agentFinding(kind: AgentKind, file: string, cwd: string): Promise<DoctorFinding> {
  const { name: command, login } = kind;
  const { version, flaw } = await versionOf(file, cwd);
  const loggedIn = hasLogin(kind);
  const agent = { command, file, version, login: loggedIn ? ("found" as const) : ("not-found" as const) };
  const says = `${flaw ?? version}, ${file}`;
  if (flaw !== null) return { name: command, is: "warning", says, hint: `try \`${command} --version\``, agent };
  if (loggedIn) return { name: command, is: "ok", says: `${says}, login found`, agent };
  const unseen = platform() === "darwin" ? " (the keychain was not checked)" : "";
  return { name: command, is: "warning", says, hint: `no login found: ${login}${unseen}`, agent };
}

async function versionOf(file: string, cwd: string): Promise<{ version: string | null; flaw: string | null }> {
  const { code, stdout, stderr } = await runProgram({ file, args: ["--version"], cwd, timeoutMs: PATIENCE_MS });
  const line = stdout.split("\n").find((text) => /\d/.test(text));
  const version = line === undefined ? null : shorten(printable(line), MOST_CHARS);
  if (code === 0) return { version, flaw: version === null ? "it prints no version" : null };
  const silence = code === null ? `no answer within ${PATIENCE_MS / 1_000} s` : `exit code ${code}`;
  const why = shorten(printable(stderr.trim().split("\n")[0] ?? ""), MOST_CHARS);
  return { version: null, flaw: `--version failed (${why || silence})` };
}

/** Whether one of the usual ways to log in was used. */
function hasLogin({ loginFile, loginVariables }: AgentKind): boolean {
  const env = environment();
  const home = homeFolder();
  const data = env.XDG_DATA_HOME || join(home, ".local", "share");
  return loginVariables.some((name) => env[name]) || existsSync(loginFile({ home, data, env }));
}

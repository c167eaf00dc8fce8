import { platform } from "node:os";
import { findOnPath } from "../../../../adapters/io/find-on-path.ts";
import { runProgram } from "../../../../adapters/io/program.ts";
import { printable } from "../../../../core/ansi.ts";
import { shorten } from "../../../../core/excerpt.ts";
import type { DoctorFinding } from "./finding.ts";
import { hasLogin, LOGINS } from "./logins.ts";

const PATIENCE_MS = 5_000;
const MOST_CHARS = 80;

/** The known agents on PATH, asked for their versions at the same time. */
export function agentFindings(cwd: string): Promise<DoctorFinding[]> {
  const found = Object.keys(LOGINS).flatMap((command) => {
    const file = findOnPath(command, cwd);
    return file ? [{ command, file }] : [];
  });
  return Promise.all(found.map(({ command, file }) => agentFinding(command, file, cwd)));
}

async function agentFinding(command: string, file: string, cwd: string): Promise<DoctorFinding> {
  const { version, flaw } = await versionOf(file, cwd);
  const login = LOGINS[command];
  const loggedIn = login !== undefined && hasLogin(login);
  const agent = { command, file, version, login: loggedIn ? ("found" as const) : ("not-found" as const) };
  const says = `${flaw ?? version}, ${file}`;
  if (flaw !== null) return { name: command, is: "warning", says, hint: `try \`${command} --version\``, agent };
  if (loggedIn) return { name: command, is: "ok", says: `${says}, login found`, agent };
  const unseen = platform() === "darwin" ? " (the keychain was not looked at)" : "";
  return { name: command, is: "warning", says, hint: `no login found: ${login?.advice}${unseen}`, agent };
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

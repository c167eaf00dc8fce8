import { existsSync } from "node:fs";
import { platform } from "node:os";
import { join } from "node:path";
import { environment, homeFolder } from "../../../../adapters/io/environment.ts";
import { findOnPath } from "../../../../adapters/io/find-on-path.ts";
import { runProgram } from "../../../../adapters/io/program.ts";
import { printable } from "../../../../core/ansi.ts";
import { shorten } from "../../../../core/excerpt.ts";
import type { DoctorFinding } from "./finding.ts";

const PATIENCE_MS = 5_000;
const MOST_CHARS = 80;

/** The known agents on PATH with their versions, checked concurrently. */
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
  const unseen = platform() === "darwin" ? " (the keychain was not checked)" : "";
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

type Env = NodeJS.ProcessEnv;

interface Login {
  /** Where the agent keeps it. Its existence is checked; it is never read. */
  file(home: string, env: Env): string;
  /** Any of these variables is enough. */
  variables: readonly string[];
  advice: string;
}

const dataFolder = (home: string, env: Env): string => env.XDG_DATA_HOME || join(home, ".local", "share");

/** The known agents and the usual ways to log in to each. */
const LOGINS: Readonly<Record<string, Login>> = {
  claude: {
    file: (home, env) => join(env.CLAUDE_CONFIG_DIR || join(home, ".claude"), ".credentials.json"),
    variables: [
      "ANTHROPIC_API_KEY",
      "ANTHROPIC_AUTH_TOKEN",
      "CLAUDE_CODE_OAUTH_TOKEN",
      "CLAUDE_CODE_USE_BEDROCK",
      "CLAUDE_CODE_USE_VERTEX",
    ],
    advice: "run `claude` once and log in, or set ANTHROPIC_API_KEY",
  },
  codex: {
    file: (home, env) => join(env.CODEX_HOME || join(home, ".codex"), "auth.json"),
    variables: ["OPENAI_API_KEY", "CODEX_API_KEY"],
    advice: "run `codex login` or set OPENAI_API_KEY",
  },
  amp: {
    file: (home, env) => join(dataFolder(home, env), "amp", "secrets.json"),
    variables: ["AMP_API_KEY"],
    advice: "run `amp login` or set AMP_API_KEY",
  },
  gemini: {
    file: (home) => join(home, ".gemini", "oauth_creds.json"),
    variables: ["GEMINI_API_KEY", "GOOGLE_API_KEY", "GOOGLE_GENAI_USE_VERTEXAI", "GOOGLE_GENAI_USE_GCA"],
    advice: "run `gemini` once and sign in, or set GEMINI_API_KEY",
  },
  opencode: {
    file: (home, env) => join(dataFolder(home, env), "opencode", "auth.json"),
    variables: ["ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GEMINI_API_KEY", "OPENROUTER_API_KEY"],
    advice: "run `opencode auth login`",
  },
  qwen: {
    file: (home) => join(home, ".qwen", "oauth_creds.json"),
    variables: ["OPENAI_API_KEY", "DASHSCOPE_API_KEY"],
    advice: "run `qwen` once and use /auth, or set OPENAI_API_KEY",
  },
};

function hasLogin({ file, variables }: Login, env: Env = environment()): boolean {
  return variables.some((name) => env[name]) || existsSync(file(homeFolder(), env));
}

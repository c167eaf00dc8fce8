import { existsSync } from "node:fs";
import { join } from "node:path";
import { environment, homeFolder } from "../../../../adapters/io/environment.ts";

type Env = NodeJS.ProcessEnv;

interface Login {
  /** Where the agent keeps it. Only looked for, never read. */
  file(home: string, env: Env): string;
  /** Any of these does as well. */
  variables: readonly string[];
  /** What to do where neither is there. */
  advice: string;
}

const dataFolder = (home: string, env: Env): string => env.XDG_DATA_HOME || join(home, ".local", "share");

/** The known agents and the usual ways to be logged in to each. */
export const LOGINS: Readonly<Record<string, Login>> = {
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

/** Whether a login is in one of the usual places. */
export function hasLogin({ file, variables }: Login, env: Env = environment()): boolean {
  return variables.some((name) => env[name]) || existsSync(file(homeFolder(), env));
}

/** One of the real CLIs: how to point it at a model server, and what it needs to work unattended. */
export interface RealAgent {
  name: string;
  /** What a user would put into `agent.flags`. */
  flags: string[];
  /** Where it keeps its sessions, below the home folder. */
  sessions: string;
  /** The cost that it reports for one answer of the scripted model; zero if it reports none. */
  costUsd: number;
  /** Its environment; the files it reads are written to the home folder. */
  settle(url: string, home: (path: string, content: string) => void): Record<string, string>;
}

const json = JSON.stringify;

const claude: RealAgent = {
  name: "claude",
  flags: ["--permission-mode", "acceptEdits"],
  sessions: ".claude/projects",
  costUsd: 0.0008,
  settle: (url) => ({
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: "key",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    CLAUDE_CODE_MAX_RETRIES: "0",
  }),
};

const codex: RealAgent = {
  name: "codex",
  flags: ["--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox"],
  sessions: ".codex/sessions",
  costUsd: 0,
  settle(url, home) {
    home(
      ".codex/config.toml",
      `
      model = "gpt-5.5"
      model_provider = "scripted"
      features = { plugins = false, apps = false }
      analytics = { enabled = false }
      check_for_update_on_startup = false
      [model_providers.scripted]
      name = "scripted"
      base_url = "${url}/v1"
      env_key = "SCRIPTED_KEY"
      wire_api = "responses"
      request_max_retries = 0
      stream_max_retries = 0
      `,
    );
    return { SCRIPTED_KEY: "key" };
  },
};

/** Gemini CLI and its descendant Qwen Code: nothing is sent anywhere except to the model. */
const QUIET = { privacy: { usageStatisticsEnabled: false }, general: { enableAutoUpdate: false } };

const gemini: RealAgent = {
  name: "gemini",
  flags: ["--yolo", "--skip-trust"],
  sessions: ".gemini/tmp",
  costUsd: 0,
  settle(url, home) {
    // Without a chosen method it takes the base URL for a gateway, which it then refuses.
    const security = { auth: { selectedType: "gemini-api-key" } };
    home(".gemini/settings.json", json({ security, ...QUIET, general: { ...QUIET.general, maxAttempts: 1 } }));
    return { GOOGLE_GEMINI_BASE_URL: url, GEMINI_API_KEY: "key", GEMINI_MODEL: "gemini-2.5-pro" };
  },
};

const qwen: RealAgent = {
  name: "qwen",
  flags: ["--yolo"],
  sessions: ".qwen/projects",
  costUsd: 0,
  settle(url, home) {
    home(".qwen/settings.json", json(QUIET));
    return { OPENAI_BASE_URL: `${url}/v1`, OPENAI_API_KEY: "key", OPENAI_MODEL: "scripted" };
  },
};

const opencode: RealAgent = {
  name: "opencode",
  flags: [],
  sessions: ".local/share/opencode",
  costUsd: 0.0008,
  settle(url, home) {
    // It installs its plugin kit from the registry unless it finds one.
    home(
      ".config/opencode/package-lock.json",
      json({ packages: { "": { dependencies: { "@opencode-ai/plugin": "*" } } } }),
    );
    home(".config/opencode/node_modules/.keep", "");
    const options = { baseURL: `${url}/v1`, apiKey: "key" };
    const models = { model: { cost: { input: 4, output: 20 } } };
    const provider = { scripted: { npm: "@ai-sdk/openai-compatible", options, models } };
    return {
      OPENCODE_CONFIG_CONTENT: json({ model: "scripted/model", small_model: "scripted/model", provider }),
      OPENCODE_DISABLE_AUTOUPDATE: "1",
      OPENCODE_DISABLE_MODELS_FETCH: "1",
    };
  },
};

const amp: RealAgent = {
  name: "amp",
  flags: [],
  sessions: "",
  costUsd: 0,
  settle: (url) => ({ AMP_URL: url, AMP_API_KEY: "sgamp_key", AMP_SKIP_UPDATE_CHECK: "1" }),
};

export const realAgents = { claude, codex, gemini, qwen, opencode, amp };

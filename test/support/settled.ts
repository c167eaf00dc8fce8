import { existsSync, mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { type ModelServer, modelServer, type Step } from "./model-server.ts";
import type { RealAgent } from "./real-agents.ts";
import { type Finished, type Sandbox, sandbox } from "./sandbox.ts";

const BIN = resolve(import.meta.dirname, "../../node_modules/.cache/ralph-agents/node_modules/.bin");

/** Settings of the user who runs the tests, which no agent may see. */
const FOREIGN = /^(ANTHROPIC|CLAUDE|OPENAI|CODEX|GEMINI|GOOGLE|QWEN|DASHSCOPE|OPENCODE|AMP|XDG)(_|$|CODE$)/;

interface Settled {
  box: Sandbox;
  server: ModelServer;
}

/** A sandbox with a real CLI on its PATH that knows only its own home folder and a scripted model. */
export async function settled(
  { name, flags, settle }: RealAgent,
  steps: (box: Sandbox) => Step[],
  finished: Finished,
): Promise<Settled> {
  const program = join(BIN, name);
  if (!existsSync(program)) throw new Error(`${name} is not installed: run node test/agents/install.mjs`);
  const box = sandbox(finished);
  const server = await modelServer({ steps: steps(box) }, finished);
  const home = box.path("../home");
  mkdirSync(home);
  const env = { HOME: home, ...settle(server.url, (path, content) => box.write(join(home, path), content)) };
  const lines = [
    ...Object.keys(process.env).flatMap((key) => (FOREIGN.test(key) ? [`unset ${key}`] : [])),
    ...Object.entries(env).map(([key, value]) => `export ${key}='${value}'`),
    `exec '${program}' "$@"`,
  ];
  box.program(name, lines.join("\n"));
  box.write(".ralph/settings.json", JSON.stringify({ agent: { command: name, flags } }));
  return { box, server };
}

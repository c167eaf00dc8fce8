import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { ModelServer, Step } from "./model-server.ts";
import { realAgents } from "./real-agents.ts";
import type { Finished, Running, Sandbox } from "./sandbox.ts";
import { settled } from "./settled.ts";

/** A real `opencode serve` with our plugin, and a scripted model. */
export interface OpencodeServe {
  box: Sandbox;
  model: ModelServer;
  running: Running;
  /** Calls its API; returns the answer. */
  api(method: string, path: string, body?: object): Promise<unknown>;
  open(): Promise<string>;
  /** Types a command into a session. Resolves when the turn is over. */
  type(session: string, command: string, text?: string): Promise<unknown>;
  messages(session: string): Promise<{ role: string; agent: string; text: string }[]>;
  stop(): Promise<void>;
}

/** It installs its plugin kit from the registry unless it finds one. */
const LOCK = JSON.stringify({ packages: { "": { dependencies: { "@opencode-ai/plugin": "*" } } } });

/** `onPath`: `ralph` is on PATH, so that a self-contained copy of the plugin is installed. */
export async function opencodeServe(
  steps: (box: Sandbox) => Step[],
  finished: Finished,
  { onPath = false } = {},
): Promise<OpencodeServe> {
  const { box, server: model } = await settled(realAgents.opencode, steps, finished);
  if (onPath) symlinkSync(box.ralphPath, join(box.bin, "ralph"));
  box.write(".opencode/package-lock.json", LOCK);
  box.write(".opencode/node_modules/.keep", "");
  const { code, stderr } = await box.ralph("hook", "install", "opencode", "--project");
  if (code !== 0) throw new Error(`not installed: ${stderr}`);
  const running = box.shell("exec opencode serve --port 0 --print-logs");
  finished(() => running.child.kill("SIGKILL"));
  const base = await listening(running);
  const api: OpencodeServe["api"] = async (method, path, body) => {
    const headers = { "content-type": "application/json" };
    const response = await fetch(`${base}${path}?directory=${encodeURIComponent(box.cwd)}`, {
      method,
      headers,
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const text = await response.text();
    return text === "" ? null : JSON.parse(text);
  };
  return {
    box,
    model,
    running,
    api,
    open: async () => ((await api("POST", "/session", {})) as { id: string }).id,
    type: (session, command, text = "") =>
      api("POST", `/session/${session}/command`, { command, arguments: text }).catch(() => null),
    async messages(session) {
      const all = (await api("GET", `/session/${session}/message`)) as Told[];
      return all.map(({ info, parts }) => ({ ...info, text: parts.map(({ text = "" }) => text).join("") }));
    },
    async stop() {
      running.child.kill("SIGTERM");
      await running.ended;
    },
  };
}

interface Told {
  info: { role: string; agent: string };
  parts: { text?: string }[];
}

/** Its address, once it listens. */
async function listening({ child, saw }: Running): Promise<string> {
  let out = "";
  child.stdout?.on("data", (text: string) => {
    out += text;
  });
  await saw(/http:\/\/127\.0\.0\.1:\d+/);
  for (;;) {
    const [url] = /http:\/\/127\.0\.0\.1:\d+/.exec(out) ?? [];
    if (url) return url;
    await sleep(20);
  }
}

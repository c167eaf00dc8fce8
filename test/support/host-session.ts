import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Running, Sandbox } from "./sandbox.ts";

/** The parts of an answer to Claude Code that tests read. */
export interface HookAnswer {
  decision?: "block";
  reason?: string;
  systemMessage?: string;
  hookSpecificOutput?: { additionalContext: string };
}

/** A session of Claude Code as our program sees it: payloads in, answers out, in separate processes. */
export interface HostSessionBox {
  id: string;
  /** The user types something. */
  type(prompt: string): Promise<HookAnswer | null>;
  /** The agent prints something, and would stop. */
  stop(message: string): Promise<HookAnswer | null>;
  /** The same, without waiting for the answer. */
  stopping(message: string): Running;
  /** The session ends. */
  end(): Promise<HookAnswer | null>;
}

let events = 0;

export function hostSession(box: Sandbox, id = "11112222-3333-4444-5555-666677778888"): HostSessionBox {
  const tell = (fields: Record<string, unknown>): Running => {
    const path = join(box.bin, `event-${++events}.json`);
    writeFileSync(path, JSON.stringify({ session_id: id, cwd: box.cwd, ...fields }));
    // It is the program's own process, so that a signal reaches it.
    return box.shell(`exec "$@" < '${path}'`, "hook", "event", "claude");
  };
  const stopping = (message: string) => tell({ hook_event_name: "Stop", last_assistant_message: message });
  return {
    id,
    stopping,
    type: (prompt) => answerIn(tell({ hook_event_name: "UserPromptSubmit", prompt })),
    stop: (message) => answerIn(stopping(message)),
    end: () => answerIn(tell({ hook_event_name: "SessionEnd", reason: "other" })),
  };
}

/** No error is ever reported to a host by an exit code. */
export async function answerIn({ ended }: Running): Promise<HookAnswer | null> {
  const { code, stdout, stderr } = await ended;
  if (code !== 0 || stderr !== "") throw new Error(`exit code ${code}: ${stderr}`);
  return stdout === "" ? null : JSON.parse(stdout);
}

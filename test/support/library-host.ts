import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { onTestFinished } from "vitest";
import type { RalphLoopOptions, SessionMessage, Toast } from "../../src/doors/hook/library/library.ts";

/** The library as shipped: loops that start at once are run by a program beside it. */
export const library = (await import(
  resolve(import.meta.dirname, "../../dist/hook.js")
)) as typeof import("../../src/doors/hook/library/library.ts");

/** A working folder and a state folder, removed after the test. */
export function folders(): { workdir: string; stateDir: string } {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "ralph-test-")));
  onTestFinished(() => rmSync(root, { recursive: true, force: true, maxRetries: 5 }));
  const workdir = join(root, "work");
  mkdirSync(workdir);
  return { workdir, stateDir: join(root, "state") };
}

/** A small host: it keeps messages of sessions, and records the calls it gets. */
export function host(options: RalphLoopOptions = {}, at = folders()) {
  const messages = new Map<string, SessionMessage[]>();
  const injected: { sessionId: string; prompt: string }[] = [];
  const toasts: Toast[] = [];
  const lines: string[] = [];
  const of = (sessionId: string): SessionMessage[] => {
    const list = messages.get(sessionId) ?? [];
    messages.set(sessionId, list);
    return list;
  };
  const hook = library.createRalphLoopHook({
    workdir: at.workdir,
    getMessages: async (sessionId) => [...of(sessionId)],
    async injectPrompt(sessionId, prompt) {
      injected.push({ sessionId, prompt });
      of(sessionId).push({ role: "user", content: prompt });
    },
    showToast: (toast) => toasts.push(toast),
    log: (level, message, details) => lines.push(`${level} ${message} ${JSON.stringify(details ?? {})}`),
    ...options,
    config: { continuationDelay: 0, stateDir: at.stateDir, ...options.config },
  });
  onTestFinished(() => hook.close());
  const event = (name: string, sessionId: string, data?: unknown) =>
    hook.handler({ event: name, sessionId, data }).then(() => undefined);
  return {
    ...at,
    hook,
    injected,
    toasts,
    lines,
    messages: of,
    /** The agent answers. */
    say: (sessionId: string, content: string) => void of(sessionId).push({ role: "assistant", content }),
    /** Reports an idle, and waits for its effects. */
    async idle(sessionId: string) {
      await event("session.idle", sessionId);
      await pause(20);
    },
    error: (sessionId: string, error: unknown) => event("session.error", sessionId, { error }),
    deleted: (sessionId: string, data?: unknown) => event("session.deleted", sessionId, data),
    titles: () => toasts.map(({ title }) => title),
  };
}

export const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

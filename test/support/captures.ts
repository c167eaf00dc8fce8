import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { expect, onTestFinished, vi } from "vitest";
import type { AgentKind } from "../../src/adapters/agents/kind.ts";
import { knownAgent } from "../../src/adapters/agents/known.ts";
import { type AgentTurnResult, runAgent } from "../../src/adapters/agents/run.ts";
import { fileBlobs } from "../../src/adapters/io/file-blobs.ts";
import type { AgentEvent } from "../../src/core/agent.ts";
import type { AgentSpec } from "../../src/core/agent-spec.ts";
import { presets } from "../../src/core/claim/policy.ts";
import { NO_USAGE, type Usage } from "../../src/core/usage.ts";
import { PATIENT } from "./patience.ts";
import { someAgent } from "./spec.ts";

/** The output of a real CLI's run, and how it ended. */
export interface Capture {
  stdout: Buffer;
  stderr: Buffer;
  exitCode: number;
}

/** Where the recorded runs are. */
export const CAPTURES = resolve(import.meta.dirname, "../fixtures/captures");

/** The exit code of a run that the recorder had to end. */
const HUNG = 124;

/** A recorded run, by `<cli>/<run>`. */
export function capture(name: string): Capture {
  const read = (file: string) => {
    const path = join(CAPTURES, name, file);
    return existsSync(path) ? readFileSync(path) : Buffer.alloc(0);
  };
  return { stdout: read("stdout"), stderr: read("stderr"), exitCode: Number(read("exit-code").toString()) };
}

export interface Replayed extends AgentTurnResult {
  events: AgentEvent[];
}

interface ReplayOptions {
  agent?: Partial<AgentSpec>;
  sessionUsage?: Usage;
  idleMs?: number;
  lingerMs?: number;
  /** How much time passes after a hanging program has printed everything; by default its idle limit. */
  passesMs?: number;
}

/** Runs a small program in the CLI's place that prints the recording; a recorded hang hangs until it is ended. */
export async function replay(kind: AgentKind, { stdout, stderr, exitCode }: Capture, options: ReplayOptions = {}) {
  const folder = mkdtempSync(join(tmpdir(), "ralph-replay-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = (name: string, content: Buffer | string) => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };
  const hangs = exitCode === HUNG;
  const { idleMs = 500, passesMs = idleMs } = options;
  const printed = join(folder, "printed");
  const ending = hangs ? `: > '${printed}'; exec sleep 600` : `exit ${exitCode}`;
  const script = `cat '${file("out", stdout)}'; cat '${file("err", stderr)}' >&2; ${ending}`;
  const command = file(kind.name, `#!/bin/sh\n${script}\n`);
  chmodSync(command, 0o755);
  const events: AgentEvent[] = [];
  const log = fileBlobs(folder).write("log");
  let read = 0;
  if (hangs) standStill();
  const running = runAgent({
    adapter: knownAgent(kind, someAgent(command, options.agent)),
    run: { prompt: "Do it.", flags: [], sessionId: null, iteration: 1, attempt: 1, purpose: "work" },
    sessionUsage: options.sessionUsage ?? NO_USAGE,
    price: null,
    claim: presets.harness("DONE"),
    cwd: folder,
    // A unique token: every process that carries it is ended with the program.
    token: `${basename(folder)}/${kind.name}`,
    timeoutMs: 60_000,
    patience: { iterationTimeoutMs: 60_000, idleTimeoutMs: hangs ? idleMs : 60_000, graceMs: 100 },
    ...(options.lingerMs === undefined ? {} : { lingerMs: options.lingerMs }),
    stops: { soft: new AbortController().signal, hard: new AbortController().signal },
    watchdog: null,
    log: {
      ...log,
      write(chunk) {
        read += chunk.length;
        log.write(chunk);
      },
    },
    show: () => undefined,
    raw: false,
    onEvent: (event) => events.push(event),
  });
  if (hangs) {
    await vi.waitFor(() => expect([existsSync(printed), read >= stdout.length]).toEqual([true, true]), {
      ...PATIENT,
      interval: 10,
    });
    // The rest of standard error is read first.
    for (let turn = 0; turn < 2; turn++) await new Promise(setImmediate);
    vi.advanceTimersByTime(passesMs);
  }
  const result = await running;
  log.close();
  const replayed: Replayed = { ...result, events };
  return replayed;
}

/** From here on only the test lets time pass: a busy machine may take any time to start a program. */
function standStill(): void {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  onTestFinished(() => void vi.useRealTimers());
}

/** A run as a row of a table; absent values are left out. */
export interface Transcript {
  said?: string[];
  tools?: string[];
  denied?: string[];
  stalled?: string[];
  session?: string;
  /** Input tokens, those of them from a cache, output tokens, dollars. */
  usage?: [number, number, number, number];
  claim?: string;
  fault?: string;
}

export function transcript({ events, sessionId, usage, reading, fault }: Replayed): Transcript {
  const { inputTokens, cachedTokens, outputTokens, costUsd } = usage;
  const figures: [number, number, number, number] = [inputTokens, cachedTokens, outputTokens, round(costUsd)];
  const some = (key: string, values: string[]) => (values.length > 0 ? { [key]: values } : {});
  return {
    ...some("said", messagesOf(events)),
    ...some(
      "tools",
      listed(events, (e) => (e.type === "tool.called" ? `${e.name} ${e.summary}` : null)),
    ),
    ...some(
      "denied",
      listed(events, (e) => (e.type === "tool.denied" ? `${e.name}: ${e.detail}` : null)),
    ),
    ...some(
      "stalled",
      listed(events, (e) => (e.type === "turn.stalled" ? e.fault.kind : null)),
    ),
    ...(sessionId === null ? {} : { session: sessionId }),
    ...(figures.some((n) => n > 0) ? { usage: figures } : {}),
    ...(reading.claim ? { claim: reading.claim.text } : {}),
    ...(fault ? { fault: fault.kind } : {}),
  };
}

const round = (dollars: number): number => Math.round(dollars * 1e6) / 1e6;

const listed = (events: AgentEvent[], pick: (event: AgentEvent) => string | null): string[] =>
  events.map(pick).filter((text) => text !== null);

/** The assistant's complete messages. */
export function messagesOf(events: readonly AgentEvent[]): string[] {
  const messages = [""];
  for (const event of events) {
    if (event.type === "text.said") messages[messages.length - 1] += event.text;
    if (event.type === "message.ended") messages.push("");
  }
  return messages.filter((text) => text !== "");
}

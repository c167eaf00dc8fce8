import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { newId } from "../../../adapters/io/new-id.ts";
import { runNodeAtOnce } from "../../../adapters/io/run-at-once.ts";
import { inWorkspace } from "../../../adapters/store/workspace.ts";
import { RalphError } from "../../../core/errors.ts";
import type { HostSession } from "../../../core/host.ts";
import type { Settings } from "../../../core/schema/settings.ts";
import { beginHostLoop } from "../host-loop.ts";
import { hookLoop } from "../prepare.ts";
import type { StartResult, WantedLoop } from "./loop-port.ts";

/** The host name of programs that use the library. */
export const LIBRARY = "library";

export interface LibraryPlace {
  cwd: string;
  stateDir: string | undefined;
}

export interface LibraryStart extends LibraryPlace {
  wanted: WantedLoop;
  /** Whether its checks run once before any work. */
  baseline: boolean;
}

/** Starts a loop, up to its first prompt. Returns the reason if it cannot start. */
export async function startInJournal({ cwd, stateDir, wanted, baseline }: LibraryStart): Promise<StartResult> {
  try {
    const { spec, protect } = await preparedLoop(cwd, wanted);
    const guarded = { ...spec.proof, zeroWorkGuard: wanted.guarded ?? false };
    const proof = baseline ? guarded : { ...guarded, baseline: false };
    const session: HostSession = { host: LIBRARY, id: wanted.sessionId, cwd };
    return await inWorkspace({ cwd, stateDir, create: true }, async (workspace) => {
      const { startedMs } = wanted;
      const named = { id: newId(), ...(startedMs === undefined ? {} : { startedMs }) };
      const step = await beginHostLoop({ workspace, session }, { spec: { ...spec, proof }, protect, ...named });
      if (step.prompt !== null) return { ok: true, loop: step.id, prompt: step.prompt };
      const { reason, detail } = step.state.stopped ?? { reason: "interrupted", detail: "" };
      return { ok: false, reason: `${reason}: ${detail}` };
    });
  } catch (error) {
    if (!(error instanceof RalphError)) throw error;
    return { ok: false, reason: error.text("; ") };
  }
}

async function preparedLoop(cwd: string, wanted: WantedLoop) {
  const { sessionId, prompt, description, agent, context, usage, measured } = wanted;
  const loop = await hookLoop({
    cwd,
    prompt,
    ...(description === null ? {} : { description }),
    agent,
    context,
    session: { id: sessionId, usage },
    flags: await flagsOf(wanted.flags),
  });
  const { maxCostUsd, maxTokens } = loop.spec.limits;
  if (measured || (maxCostUsd === null && maxTokens === null)) return loop;
  throw new RalphError("unmeasured", "there is a limit on cost or tokens, but nothing reports what the session uses", {
    hint: "set the option getUsage, or omit maxCostUsd and maxTokens",
  });
}

/** Validates options, which may come from untyped programs. */
async function flagsOf(flags: WantedLoop["flags"]): Promise<Settings> {
  const { validateSettings } = await import("../../../core/schema/settings.ts");
  const parsed = validateSettings(flags);
  if (parsed.success) return parsed.data;
  const { faultsOf } = await import("../../../core/schema/faults.ts");
  const faults = faultsOf(parsed.error).map(({ text }) => text);
  throw new RalphError("options-invalid", `the options of the loop: ${faults.join("; ")}`, {
    hint: "docs/settings.md lists their values",
  });
}

const PROGRAM = fileURLToPath(new URL("./hook-start.js", import.meta.url));

/** Starts a loop synchronously, in a child process. */
export function startNow(start: LibraryStart): StartResult {
  if (!existsSync(PROGRAM))
    return { ok: false, reason: `${PROGRAM} is missing: exclude ralph-engine from your bundle, so that it is found` };
  const { code, stdout, stderr } = runNodeAtOnce({
    args: ["--disable-warning=ExperimentalWarning", PROGRAM],
    cwd: start.cwd,
    input: JSON.stringify(start),
    env: {},
  });
  if (code === 0) return JSON.parse(stdout) as StartResult;
  return { ok: false, reason: stderr.trim() || "the program that starts loops exited early" };
}

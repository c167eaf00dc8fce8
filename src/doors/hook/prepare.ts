import { hostNamed, isAgentOf } from "../../adapters/hosts/hosts.ts";
import { checkoutRoot } from "../../adapters/io/checkout.ts";
import { mergeSettings } from "../../adapters/settings/settings.ts";
import { namingFiles, readSettings } from "../../adapters/settings/settings-files.ts";
import { type AgentSpec, agentSpec } from "../../core/agent-spec.ts";
import { claimPolicy, presets } from "../../core/claim/policy.ts";
import { ownParts, promiseOf, titleOf } from "../../core/loop/from-settings.ts";
import { DEFAULT_LIMITS, type Limits, type LoopSpec, OF_ITS_OWN, type SessionStart } from "../../core/loop/spec.ts";
import { settingsProof } from "../../core/proof/from-settings.ts";
import type { Proof } from "../../core/proof/proof.ts";
import type { Settings } from "../../core/schema/settings.ts";
import { readPrompt } from "../../runtime/prompt.ts";
import { checkSpec } from "../../runtime/spec-check.ts";
import { DEFAULT_COMPLETION_PROMISE, DEFAULT_MAX_ITERATIONS } from "./library/constants.ts";

/** A request for a loop in a host's session. */
export interface HookLoopRequest {
  cwd: string;
  prompt: string;
  description?: string;
  /** The agent that can continue it outside the host; null: the one in the settings. */
  agent: string | null;
  context: LoopSpec["context"];
  session: SessionStart | null;
  /** Flags, as settings; they override the files. */
  flags: Settings;
}

/** Turns a request and the settings files into a loop, and the files whose change is tampering. */
export async function hookLoop(request: HookLoopRequest): Promise<{ spec: LoopSpec; protect: string[] }> {
  const { cwd, prompt, flags } = request;
  const files = await readSettings(cwd, undefined);
  const settings = mergeSettings(...files.layers, ...withPromise(flags, files.layers));
  readPrompt({ prompt: { text: prompt }, cwd });
  const spec = hookSpec({
    ...request,
    settings,
    tracked: checkoutRoot(cwd) !== null,
    agents: agentsOf(request.agent, settings),
    proof: await namingFiles(files.paths, () => settingsProof(settings)),
  });
  await checkSpec(spec);
  return { spec, protect: [...files.paths, ...(settings.protect ?? [])] };
}

/** A promise in the flags overrides one in the criteria of a file. */
function withPromise(flags: Settings, layers: readonly Settings[]): Settings[] {
  const { completionResponse: promise } = flags;
  const isNamed = promise !== undefined && layers.some(({ completion }) => completion?.promise !== undefined);
  return isNamed ? [flags, { completion: { promise } }] : [flags];
}

/** The host's own program, with its settings. */
function agentsOf(host: string | null, { agent, agents }: Settings): AgentSpec[] {
  const written = agents ?? (agent ? [agent] : []);
  if (host === null) return written.map(agentSpec);
  return [
    agentSpec(written.find(({ command }) => isAgentOf(host, command)) ?? { command: hostNamed(host)?.agent ?? host }),
  ];
}

/** In a host's session the user sees the progress, so `stuckAfter` is off by default. */
const HOOK_LIMITS: Limits = { ...DEFAULT_LIMITS, maxIterations: DEFAULT_MAX_ITERATIONS, stuckAfter: null };

interface HookRequest extends Omit<HookLoopRequest, "agent" | "flags"> {
  settings: Settings;
  tracked: boolean;
  agents: readonly AgentSpec[];
  proof: Proof;
}

/** Turns a prompt, settings and flags into a loop in a host's session. */
function hookSpec(request: HookRequest): LoopSpec {
  const { settings, cwd, tracked, prompt, description, agents, context, session, proof } = request;
  const promise = promiseOf(settings, DEFAULT_COMPLETION_PROMISE);
  return {
    door: "hook",
    title: description ?? titleOf(prompt),
    ...OF_ITS_OWN,
    cwd,
    tracked,
    prompt: { text: prompt },
    agents,
    session,
    claim: claimPolicy(presets.hook(promise, settings.completion), settings, proof),
    ...ownParts(settings, HOOK_LIMITS),
    context,
    proof,
  };
}

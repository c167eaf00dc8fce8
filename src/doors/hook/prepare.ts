import { checkoutRoot } from "../../adapters/io/checkout.ts";
import { mergeSettings } from "../../adapters/settings/settings.ts";
import { namingFiles, readSettings } from "../../adapters/settings/settings-files.ts";
import { type AgentSpec, agentSpec } from "../../core/agent-spec.ts";
import type { LoopSpec, SessionStart } from "../../core/loop/spec.ts";
import { settingsProof } from "../../core/proof/from-settings.ts";
import type { Settings } from "../../core/schema/settings.ts";
import { readPrompt } from "../../runtime/prompt.ts";
import { checkSpec } from "../../runtime/spec-check.ts";
import { hookSpec } from "./spec.ts";

/** What a loop in a host's session was asked for, beside the settings that its flags stand for. */
interface HookLoopRequest {
  cwd: string;
  prompt: string;
  description?: string;
  /** The agent that can go on with it without the host; null: whichever the settings name. */
  agent: string | null;
  context: LoopSpec["context"];
  session: SessionStart | null;
  /** Flags, as settings: they win over the files. */
  flags: Settings;
}

/** Turns what was asked for and the settings files into a loop, and the files whose change is tampering. */
export async function hookLoop(request: HookLoopRequest): Promise<{ spec: LoopSpec; protect: string[] }> {
  const { cwd, prompt, flags, context, session, description } = request;
  const files = await readSettings(cwd, undefined);
  const settings = mergeSettings(...files.layers, ...withPromise(flags, files.layers));
  readPrompt({ prompt: { text: prompt }, cwd });
  const spec = hookSpec({
    settings,
    cwd,
    tracked: checkoutRoot(cwd) !== null,
    prompt,
    ...(description === undefined ? {} : { description }),
    agents: agentsOf(request.agent, settings),
    context,
    session,
    proof: await namingFiles(files.paths, () => settingsProof(settings)),
  });
  await checkSpec(spec);
  return { spec, protect: [...files.paths, ...(settings.protect ?? [])] };
}

/** A promise that a person asks for is the one, also where the criteria of a file name another. */
function withPromise(flags: Settings, layers: readonly Settings[]): Settings[] {
  const { completionResponse: promise } = flags;
  const isNamed = promise !== undefined && layers.some(({ completion }) => completion?.promise !== undefined);
  return isNamed ? [flags, { completion: { promise } }] : [flags];
}

/** The host's own program, with what the settings say of it. */
function agentsOf(host: string | null, { agent, agents }: Settings): AgentSpec[] {
  const written = agents ?? (agent ? [agent] : []);
  if (host === null) return written.map(agentSpec);
  return [agentSpec(written.find(({ command }) => command === host) ?? { command: host })];
}

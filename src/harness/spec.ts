import { agentSpec } from "../core/agent-spec.ts";
import { presets } from "../core/claim/policy.ts";
import { shorten } from "../core/excerpt.ts";
import { limitsOf, sharedParts } from "../core/loop/from-settings.ts";
import { DEFAULT_LIMITS, type Effect, type LoopSpec, OF_ITS_OWN } from "../core/loop/spec.ts";
import { commandStage, uniquelyNamed } from "../core/proof/commands.ts";
import { isBacked, NO_PROOF, type Proof } from "../core/proof/proof.ts";
import type { AgentSettings, Settings } from "../core/schema/settings.ts";

const TITLE_CHARS = 80;

interface HarnessRequest {
  settings: Settings;
  cwd: string;
  prompt: LoopSpec["prompt"];
  /** The prompt as it reads now, for the title. */
  promptText: string;
  /** Whether the folder is in a git repository. */
  tracked: boolean;
  agents: readonly AgentSettings[];
  proof: Proof;
}

/** The harness door: settings and a prompt become a loop. */
export function harnessSpec({ settings, cwd, tracked, prompt, promptText, agents, proof }: HarnessRequest): LoopSpec {
  return {
    door: "harness",
    title: titleOf(promptText),
    ...OF_ITS_OWN,
    cwd,
    tracked,
    prompt,
    agents: agents.map(agentSpec),
    claim: {
      ...presets.harness(settings.completion?.promise ?? settings.completionResponse ?? "DONE"),
      ...(settings.completion?.strict ? { ownLine: true, ignoreCase: false } : {}),
      contradictions: settings.contradictions ?? true,
      // The weaker the proof, the stricter the claim.
      scope: isBacked(proof) ? "iteration" : "last-message",
    },
    completionInstructions: settings.completionInstructions ?? true,
    ...sharedParts(settings),
    proof,
    effects: effectsOf(settings.scm),
    commitMessage: settings.scm?.message ?? "agent",
    limits: limitsOf(settings, DEFAULT_LIMITS),
  };
}

/** What has to hold for a claim to count. What reads criteria is loaded only where there are any. */
export async function harnessProof(settings: Settings): Promise<Proof> {
  const { completion, templates, verify = [], checkTimeout } = settings;
  if (!completion)
    return { ...NO_PROOF, stages: uniquelyNamed(verify.map((command) => commandStage(command, checkTimeout))) };
  const { resolveProof } = await import("../core/proof/resolve.ts");
  const { expandTemplates } = await import("../core/proof/templates.ts");
  const { fittingCompletion } = await import("../core/schema/read-criteria.ts");
  const criteria = expandTemplates(fittingCompletion(completion), templates);
  const fields = { outcome: criteria.outcome ?? "", description: criteria.description ?? "" };
  return resolveProof(criteria, { verify, checkTimeoutS: checkTimeout, fields });
}

/**
 * Version control tasks in their order. A commit comes before the verdict, so that what was verified can be found
 * again; what follows the first push waits for the verdict with it.
 */
function effectsOf(scm: Settings["scm"]): Effect[] {
  const { command = "git", tasks = [] } = scm ?? {};
  // Named by its path it is git all the same, and needs the same care.
  const program = command.split("/").at(-1) === "git" ? "git" : command;
  const published = tasks.findIndex((task) => firstWord(task) === "push");
  return tasks.map((task, i) => {
    const [kind, ...more] = task.trim().split(/\s+/);
    return {
      kind: kind === "push" ? "push" : kind === "commit" && more.length === 0 ? "commit" : "task",
      when: published !== -1 && i >= published ? "judged" : "guarded",
      program,
      args: [kind ?? "", ...more],
    };
  });
}

const firstWord = (text: string): string => text.trim().split(/\s+/)[0] ?? "";

function titleOf(prompt: string): string {
  const line = prompt.split("\n").find((text) => text.trim() !== "") ?? "";
  return shorten(line.replace(/^#+\s*/, ""), TITLE_CHARS);
}

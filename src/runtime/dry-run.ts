import { randomUUID } from "node:crypto";
import { resolve } from "node:path";
import { adapterFor, checkAgent } from "../adapters/agents/agent.ts";
import type { AgentSpec } from "../core/agent-spec.ts";
import { claimOf } from "../core/claim/policy.ts";
import { subsetWords } from "../core/counting/subset.ts";
import { RalphError } from "../core/errors.ts";
import type { NamedFiles } from "../core/loop/left-out.ts";
import type { LoopSpec, Receiver, Recipient } from "../core/loop/spec.ts";
import { START } from "../core/loop/state.ts";
import { remembers } from "../core/memory/memory.ts";
import { buildPrompt } from "../core/prompt.ts";
import { commandsOf } from "../core/proof/methods/external.ts";
import { subsetOf } from "../verify/counting/subset-of.ts";
import { missingParts } from "../verify/methods.ts";
import { protectedNames } from "../verify/tamper/protection.ts";
import { unprotectedChecks } from "../verify/tamper/unprotected.ts";
import { earlierFiles } from "./earlier-changes.ts";
import { readPrompt, turnValues } from "./prompt.ts";
import { asksForMessage } from "./scm.ts";

export interface Problem {
  code: string;
  message: string;
  hint: string | undefined;
}

/** What a loop would do: agents, prompt, checks, effects and limits. */
export interface LoopPlan extends Omit<LoopSpec, "door" | "prompt" | "agents" | "notify" | "claim" | "commitMessage"> {
  commitMessage: "agent" | "title";
  settingsFiles: readonly string[];
  agents: readonly AgentPlan[];
  prompt: string;
  /** The same with `MEMORY_HERE` where the memory stands from iteration 2 on; null if there is none. */
  laterPrompt: string | null;
  /** Null if given with --prompt. */
  promptFile: string | null;
  completion: { tags: readonly string[]; promise: string };
  notify: readonly Recipient[];
  /** Uncommitted files that its commits would leave alone; null if there are none. */
  earlier: NamedFiles | null;
  fingerprinted: readonly string[];
  /** Checks whose tests cannot be compared with those before the work, and why. */
  uncounted: readonly string[];
  /** Commands for which nothing could be protected. */
  unprotected: readonly string[];
  /** What would prevent the loop from starting. */
  problems: readonly Problem[];
}

export interface AgentPlan extends Omit<AgentSpec, "flags"> {
  /** The program and its arguments, with a placeholder for the prompt. */
  commandLine: readonly string[];
  prompt: "stdin" | "argument";
}

export const PROMPT_HERE = "<prompt>";

/** The memory in a planned prompt. */
export const MEMORY_HERE = "<memory: what the earlier iterations did, from iteration 2 on>";

const NONCE_HERE = "<token>";

interface Planned {
  spec: LoopSpec;
  /** Files whose change during the loop is tampering. */
  protect: readonly string[];
  settingsFiles: readonly string[];
}

/** Describes a loop without starting or writing anything. */
export async function planLoop({ spec, protect, settingsFiles }: Planned): Promise<LoopPlan> {
  const { door: _door, prompt, agents, claim, notify, anchor, ...rest } = spec;
  const nonce = spec.proof.nonce ? NONCE_HERE : null;
  const planned = claimOf(claim, nonce);
  const base = readPrompt(spec, await turnValues(null, spec, { ...START, n: 1 }));
  const promptWith = (past: string | null) => buildPrompt({ ...spec, claim: planned, base, feedback: [], nonce, past });
  return {
    ...rest,
    commitMessage: asksForMessage(spec, 0) ? "agent" : "title",
    earlier: await earlierFiles(spec),
    settingsFiles,
    agents: await Promise.all(agents.map(planAgent)),
    prompt: promptWith(null),
    laterPrompt: remembers({ spec, driver: "engine" }) ? promptWith(MEMORY_HERE) : null,
    promptFile: "file" in prompt ? prompt.file : null,
    completion: { tags: claim.tags, promise: planned.promise },
    notify: notify.map(({ on, run }) => ({ on, run: masked(run) })),
    anchor: anchor && masked(anchor),
    uncounted: commandsOf(spec.proof.stages).flatMap(({ name, command, workingDir }) => {
      const subset = subsetOf(command, resolve(spec.cwd, workingDir));
      return subset === null ? [] : [`${name}: ${subsetWords(subset)}`];
    }),
    fingerprinted: await protectedNames(spec, protect),
    unprotected: unprotectedChecks(
      spec,
      protect.filter((path) => !settingsFiles.includes(path)),
    ),
    problems: [...agents.flatMap((agent) => agentProblems(agent, spec.cwd)), ...missingParts(spec).map(problem)],
  };
}

/** An agent with the command line that starts it. */
export async function planAgent(agent: AgentSpec): Promise<AgentPlan> {
  const { flags, ...rest } = agent;
  // A unique text, so that no flag is mistaken for the prompt.
  const mark = randomUUID();
  const run = { prompt: mark, flags, sessionId: null, iteration: 1, attempt: 1, purpose: "work" } as const;
  const { file, args, stdin } = (await adapterFor(agent)).command(run);
  const commandLine = [file, ...args].map((word) => word.replaceAll(mark, PROMPT_HERE));
  return { ...rest, commandLine, prompt: stdin === null ? "argument" : "stdin" };
}

const problem = ({ code, message, hint }: RalphError): Problem => ({ code, message, hint });

/** Why an agent cannot be started. */
export function agentProblems(agent: AgentSpec, cwd: string): Problem[] {
  try {
    checkAgent(agent, cwd);
    return [];
  } catch (error) {
    if (!(error instanceof RalphError)) throw error;
    return [problem(error)];
  }
}

/** The path of a webhook is as secret as a password. */
function masked(run: Receiver): Receiver {
  if ("command" in run) return run;
  const { protocol, host } = new URL(run.webhook);
  return { webhook: `${protocol}//${host}/…` };
}

import { isAbsolute, normalize } from "node:path";
import { adapterFor } from "../adapters/agents/agent.ts";
import { headOf, isRepository } from "../adapters/git/repository.ts";
import { checkoutRoot } from "../adapters/io/checkout.ts";
import { findOnPath } from "../adapters/io/find-on-path.ts";
import { RalphError } from "../core/errors.ts";
import type { Limits, LoopSpec } from "../core/loop/spec.ts";
import type { CleanRoom } from "../core/proof/proof.ts";
import { checkStages } from "../verify/methods.ts";
import { scopeOf } from "../verify/scope.ts";

/** Throws for a loop whose settings cannot be met, before anything is written. */
export async function checkSpec(spec: LoopSpec): Promise<void> {
  const { cleanRoom, scope, differential } = spec.proof;
  if (cleanRoom) await checkCleanRoom(spec.cwd, cleanRoom);
  if (scope.length > 0) await checkScope(spec.cwd, scope);
  else if (cleanRoom?.mode === "oracle") throw scopeless();
  if (differential) await requireRepository(spec.cwd, "differential");
  await checkMeasures(spec);
  await checkStages(spec);
}

/** Throws for a limit on something that the agent does not report. */
async function checkMeasures({ agents, limits, context }: LoopSpec): Promise<void> {
  for (const agent of agents) {
    const adapter = await adapterFor(agent);
    if (!adapter.open) checkPlain(agent.command, limits, context);
    else if (adapter.reportsCost === false && !agent.price && limits.maxCostUsd !== null) {
      throw uncosted(`the agent ${agent.command}`, agent.command);
    }
  }
}

/** The error for a cost limit where only tokens are reported and their price is unknown. */
export const uncosted = (who: string, command: string): RalphError =>
  new RalphError("unmeasured", `${who} reports its tokens, but not their cost (--max-cost)`, {
    hint: `give its price in dollars per million tokens: {"agent": {"command": "${command}", "price": {"input": 1.25, "output": 10}}}, or limit tokens (--max-tokens) instead`,
  });

/** An agent that prints plain text reports neither cost nor session. */
function checkPlain(command: string, limits: Limits, context: LoopSpec["context"]): void {
  const unmeasured = [
    ...(limits.maxCostUsd === null ? [] : ["its cost (--max-cost)"]),
    ...(limits.maxTokens === null ? [] : ["its tokens (--max-tokens)"]),
    ...(context === "fresh" ? [] : ["its session (--context continue)"]),
  ];
  if (unmeasured.length === 0) return;
  throw new RalphError(
    "unmeasured",
    `the agent ${command} prints plain text and does not report ${unmeasured.join(" and ")}`,
    {
      hint: "omit that, and limit iterations (-m) or time (--timeout) instead",
    },
  );
}

const NO_CLEAN_ROOM = "or remove clean_room from the criteria";

async function requireRepository(cwd: string, key: string): Promise<void> {
  if (findOnPath("git", cwd) && (await isRepository(cwd))) return;
  throw new RalphError("no-git", `${key} needs a git repository, and ${cwd} is not one`, {
    hint: `run \`git init\` and commit the files, or remove ${key} from the criteria`,
  });
}

/** A change can only be out of scope if git shows it. A pattern that leads out of the repository is an error. */
async function checkScope(cwd: string, scope: readonly string[]): Promise<void> {
  await requireRepository(cwd, "scope");
  scopeOf(scope, { folder: cwd, root: checkoutRoot(cwd) ?? cwd });
  if (scope.some((pattern) => !pattern.startsWith("!"))) return;
  throw new RalphError("scope-empty", "scope only excludes paths, so nothing could be changed", {
    hint: 'name what the agent may change, such as --scope "src/**"',
  });
}

const scopeless = (): RalphError =>
  new RalphError("no-scope", 'clean_room "oracle" needs a scope: the room is the start plus the changes within it', {
    hint: 'name what the agent may change: --scope "src/**", or completion.scope in the settings',
  });

/** A clean room of a commit needs one. */
async function checkCleanRoom(cwd: string, { cached, mode }: CleanRoom): Promise<void> {
  await requireRepository(cwd, "clean_room");
  if (mode === "commit" && !(await headOf(cwd))) {
    throw new RalphError("no-commit", "clean_room needs a commit to check, and this repository has none", {
      hint: `commit the files, ${NO_CLEAN_ROOM}`,
    });
  }
  const outside = cached.find((folder) => isAbsolute(folder) || /^\.\.?(\/|$)/.test(normalize(folder)));
  if (outside === undefined) return;
  throw new RalphError("outside", `clean_room.cached: ${JSON.stringify(outside)} leads out of the loop's folder`, {
    hint: "name folders inside it, such as node_modules",
  });
}

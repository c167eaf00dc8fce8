import { join, resolve } from "node:path";
import { adapterFor } from "../../../adapters/agents/agent.ts";
import { withModel, withTools } from "../../../adapters/agents/agent-flags.ts";
import { flaggedAgents } from "../../../adapters/agents/chosen-agents.ts";
import { checkoutRoot } from "../../../adapters/io/checkout.ts";
import { makeFolder } from "../../../adapters/io/folder.ts";
import { ralphFolder } from "../../../adapters/io/ralph-folder.ts";
import { type AgentSpec, agentSpec } from "../../../core/agent-spec.ts";
import { RalphError } from "../../../core/errors.ts";
import type { LoopSpec, SessionStart } from "../../../core/loop/spec.ts";
import { variableEnvironment } from "../../../core/workflow/environment.ts";
import type { AgentSession, RunStarted } from "../../../core/workflow/events.ts";
import type { RunState } from "../../../core/workflow/state.ts";
import type { LoopPart, StepPart } from "../../../core/workflow/workflow.ts";
import { checkSpec } from "../../../runtime/spec-check.ts";
import { loopProof } from "../file/proof.ts";
import { loopSpec, stepSpec } from "../file/spec.ts";
import { scenarioFor } from "../rehearsal/scenario.ts";

/** The current state of the run that a part belongs to. */
interface RunSoFar {
  id: string;
  started: RunStarted;
  state: Pick<RunState, "session" | "outputs">;
  /** Whether it runs in parallel with others, in a new session. */
  together: boolean;
}

/** The loop for a step or a loop of a run. Throws if its limits, checks or clean room cannot work here. */
export async function partSpec(run: RunSoFar, part: StepPart | LoopPart): Promise<LoopSpec> {
  const { id, started, state } = run;
  const { workflow, settings = {}, cwd, message } = started;
  const agents = await partAgents(started, part);
  const values = runValues(id, started, state);
  // Agents that print plain text do not report their sessions.
  const sessions = (await Promise.all(agents.map((agent) => adapterFor(agent)))).every(
    ({ open }) => open !== undefined,
  );
  const request = { run: id, workflow, settings, cwd, tracked: checkoutRoot(cwd) !== null, agents, sessions, values };
  const spec =
    part.kind === "step"
      ? stepSpec({ ...request, part, session: run.together ? null : sessionFor(agents[0]?.command, state.session) })
      : loopSpec({
          ...request,
          part,
          proof: await loopProof({ part, settings, message, variables: variableEnvironment(values) }),
        });
  await checkSpec(spec);
  return spec;
}

/** A session belongs to the agent that opened it. */
function sessionFor(command: string | undefined, session: AgentSession | null): SessionStart | null {
  if (!session || session.agent !== command) return null;
  return { id: session.id, usage: session.usage };
}

type Choice = Pick<RunStarted, "workflow" | "cwd" | "agent" | "model" | "agentFlags" | "settings">;

/** The agents of a part: the requested one, the part's, the workflow's, or those of the settings, in this order. */
async function partAgents(choice: Choice, part: StepPart | LoopPart): Promise<AgentSpec[]> {
  const { workflow, cwd, agent, settings = {} } = choice;
  const where = `${workflow.file}: ${part.kind} "${part.name}"`;
  const named = agent?.command ?? part.provider ?? workflow.provider;
  const scenario = agent?.scenario ? scenarioFor(resolve(cwd, agent.scenario), part.name) : null;
  const request = { cwd, flags: {}, ...(named === null ? {} : { agent: [named] }) };
  const requested = { model: choice.model, agentFlags: choice.agentFlags };
  const chosen = (
    await flaggedAgents({ ...request, ...requested, ...(scenario === null ? {} : { scenario }) }, settings)
  ).map(agentSpec);
  const model = agent === null && choice.model === undefined ? modelOf(choice, part) : null;
  const modelled = model === null ? chosen : [await withModel(onlyOne(chosen, where), model, `${where}: model`)];
  return Promise.all(modelled.map((one) => withTools(one, part.tools, where)));
}

/** A model belongs to its provider: a part with another provider does not use the workflow's model. */
const modelOf = ({ workflow }: Choice, part: StepPart | LoopPart): string | null =>
  part.model ?? (part.provider === null || part.provider === workflow.provider ? workflow.model : null);

function onlyOne(agents: readonly AgentSpec[], where: string): AgentSpec {
  const [only, another] = agents;
  if (only && !another) return only;
  throw new RalphError("model-unclear", `${where}: model is for one agent, and the settings name several`, {
    hint: `specify the agent, such as provider: ${only?.command ?? "claude"}`,
  });
}

/** The variables of prompts and commands at this point of a run, except those of the turn. */
export function runValues(id: string, started: RunStarted, { outputs }: Pick<RunState, "outputs">) {
  return {
    USER_MESSAGE: started.message,
    ARGUMENTS: started.message,
    WORKFLOW_ID: id,
    ARTIFACTS_DIR: artifactsOf(id, started.cwd),
    ...started.values,
    ...Object.fromEntries(Object.entries(outputs).map(([part, text]) => [`${part}.output`, text])),
  };
}

const artifactsOf = (id: string, cwd: string): string => join(cwd, ".ralph", "artifacts", id);

/** Creates the folder in which the parts of a run share files. Git ignores it. */
export function makeArtifacts(id: string, cwd: string): void {
  ralphFolder(cwd);
  makeFolder(artifactsOf(id, cwd));
}

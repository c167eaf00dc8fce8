import { checkoutRoot } from "../../adapters/io/checkout.ts";
import type { LoopSpec, SessionStart } from "../../core/loop/spec.ts";
import { variableEnvironment } from "../../core/workflow/environment.ts";
import type { AgentSession, RunStarted } from "../../core/workflow/events.ts";
import type { RunState } from "../../core/workflow/state.ts";
import type { LoopPart, StepPart } from "../../core/workflow/workflow.ts";
import { checkSpec } from "../../runtime/spec-check.ts";
import { loopProof } from "./file/proof.ts";
import { loopSpec, stepSpec } from "./file/spec.ts";
import { haveSessions, partAgents } from "./part-agents.ts";
import { runValues } from "./values.ts";

/** The run that a part belongs to, as far as it has come. */
interface RunSoFar {
  id: string;
  started: RunStarted;
  state: Pick<RunState, "session" | "outputs">;
  /** It runs beside others: it shares no session with anybody. */
  together: boolean;
}

/** The loop that works on a step or a loop of a run; what it could not keep is refused. */
export async function partSpec(run: RunSoFar, part: StepPart | LoopPart): Promise<LoopSpec> {
  const { id, started, state } = run;
  const { workflow, settings = {}, cwd, message } = started;
  const agents = await partAgents(started, part);
  const values = runValues(id, started, state);
  const sessions = await haveSessions(agents);
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

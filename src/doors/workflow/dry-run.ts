import { RalphError } from "../../core/errors.ts";
import type { RunStarted } from "../../core/workflow/events.ts";
import { NEW_RUN } from "../../core/workflow/state.ts";
import { type BashPart, type LoopPart, lanesOf, type StepPart } from "../../core/workflow/workflow.ts";
import { type LoopPlan, type Problem, planLoop } from "../../runtime/dry-run.ts";
import { partSpec } from "./part/part-spec.ts";

export type SessionPlan = "fresh" | "shared" | "kept" | "each";

export interface PartPlan {
  name: string;
  /** The number of its part, from 1; parallel steps have the same one. */
  step: number;
  together: boolean;
  of: BashPart | StepPart | LoopPart;
  /** `shared`: that of earlier steps. For a loop, `kept`: one for all iterations; `each`: one each. Null: a command. */
  session: SessionPlan | null;
  /** Null for a command, or if it cannot be made. */
  loop: LoopPlan | null;
  problems: readonly Problem[];
}

/** A placeholder for the id of the run. */
const RUN_HERE = "<run>";

/** Describes what a run would do, without starting or writing anything. */
export async function planRun(started: RunStarted): Promise<PartPlan[]> {
  const plans: PartPlan[] = [];
  const outputs: Record<string, string> = {};
  for (const [i, part] of started.workflow.parts.entries()) {
    const together = part.kind === "parallel";
    for (const lane of lanesOf(part)) {
      const common = { name: lane.name, step: i + 1, together, of: lane };
      const state = { ...NEW_RUN, outputs: { ...outputs } };
      plans.push(
        lane.kind === "bash"
          ? { ...common, session: null, loop: null, problems: [] }
          : {
              ...common,
              session: sessionOf(lane, together, plans),
              ...(await planned(started, state, lane, together)),
            },
      );
    }
    for (const { name } of lanesOf(part)) outputs[name] = `<output of ${name}>`;
  }
  return plans;
}

/** The first step has no session to continue. */
function sessionOf(part: StepPart | LoopPart, together: boolean, before: readonly PartPlan[]): SessionPlan {
  if (part.kind === "loop") return part.freshContext ? "each" : "kept";
  return part.fresh || together || !before.some((plan) => plan.session !== null && !plan.together) ? "fresh" : "shared";
}

async function planned(
  started: RunStarted,
  state: typeof NEW_RUN,
  part: StepPart | LoopPart,
  together: boolean,
): Promise<Pick<PartPlan, "loop" | "problems">> {
  try {
    const spec = await partSpec({ id: RUN_HERE, started, state, together }, part);
    const loop = await planLoop({ spec, protect: [...(started.protect ?? [])], settingsFiles: [] });
    return { loop, problems: loop.problems };
  } catch (error) {
    if (!(error instanceof RalphError)) throw error;
    return { loop: null, problems: [{ code: error.code, message: error.message, hint: error.hint }] };
  }
}

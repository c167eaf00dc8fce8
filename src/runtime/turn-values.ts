import { readerOf } from "../adapters/agents/agent.ts";
import { saidIn } from "../adapters/agents/output.ts";
import type { Blobs } from "../core/blobs.ts";
import type { LoopSpec } from "../core/loop/spec.ts";
import type { LoopState } from "../core/loop/state.ts";
import { iterationValues } from "../core/workflow/environment.ts";

const PREVIOUS = "LOOP_PREV_OUTPUT";

/** The values of a prompt template that change with every turn; none where the prompt is no template. `blobs`: null before any turn. */
export async function turnValues(
  blobs: Blobs | null,
  spec: LoopSpec,
  state: LoopState,
): Promise<Record<string, string>> {
  if (!("template" in spec.prompt)) return {};
  const isAsked = spec.prompt.template.includes(PREVIOUS);
  return {
    ...iterationValues(spec.limits, state.n),
    [PREVIOUS]: isAsked ? await previousWords(blobs, spec, state) : "",
  };
}

/** What the agent said in the iteration before, read back from what it printed: a resume knows it too. */
async function previousWords(blobs: Blobs | null, spec: LoopSpec, { previous, turn }: LoopState): Promise<string> {
  if (!previous || !blobs) return "";
  const { agent, ...log } = previous;
  const isBefore = turn?.log?.path === log.path;
  const to = isBefore && turn?.log ? { to: turn.log.from } : {};
  const said = await saidIn(blobs, { ...log, ...to }, await readerOf(spec, agent, log));
  return typeof said === "string" ? said : `(not known: the log of the iteration before cannot be read, ${said.gone})`;
}

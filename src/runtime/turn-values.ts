import { readerOf } from "../adapters/agents/agent.ts";
import { saidIn } from "../adapters/agents/output.ts";
import type { Blobs } from "../core/blobs.ts";
import type { LoopSpec } from "../core/loop/spec.ts";
import type { LoopState } from "../core/loop/state.ts";
import { environmentOf } from "../core/workflow/environment.ts";

const PREVIOUS = "LOOP_PREV_OUTPUT";

/** What the prompt of a turn can name beside what stays the same; nothing where it is no template. `blobs`: null before any turn. */
export async function turnValues(
  blobs: Blobs | null,
  spec: LoopSpec,
  state: LoopState,
): Promise<Record<string, string>> {
  if (!("template" in spec.prompt)) return {};
  const isAsked = spec.prompt.template.includes(PREVIOUS);
  return { ...placeValues(spec, state.n), [PREVIOUS]: isAsked ? await previousWords(blobs, spec, state) : "" };
}

/** What the commands of an iteration find in their environment; 0 is before any work. */
export const commandVariables = (spec: LoopSpec, iteration: number): Record<string, string> =>
  "template" in spec.prompt ? environmentOf({ ...placeValues(spec, iteration), ...spec.prompt.values }) : {};

const placeValues = ({ limits }: LoopSpec, n: number): Record<string, string> => ({
  ITERATION: String(n),
  MAX_ITERATIONS: String(limits.maxIterations ?? ""),
});

/** What the agent said in the iteration before, read back from what it printed: a resume knows it too. */
async function previousWords(blobs: Blobs | null, spec: LoopSpec, { previous, turn }: LoopState): Promise<string> {
  if (!previous || !blobs) return "";
  const { agent, ...log } = previous;
  const isBefore = turn?.log?.path === log.path;
  const to = isBefore && turn?.log ? { to: turn.log.from } : {};
  const said = await saidIn(blobs, { ...log, ...to }, await readerOf(spec, agent, log));
  return typeof said === "string" ? said : `(not known: the log of the iteration before cannot be read, ${said.gone})`;
}

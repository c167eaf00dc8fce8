import type { LoopPart, Part, StepPart, Workflow } from "../../../core/workflow/workflow.ts";
import { lanesOf } from "../../../core/workflow/workflow.ts";

export const REHEARSAL_ITERATIONS = 3;

/** A workflow as it is rehearsed: without paid agents, long loops and tool rules. */
export const rehearsed = (workflow: Workflow): Workflow => ({
  ...workflow,
  provider: null,
  model: null,
  parts: workflow.parts.map(rehearsedPart),
});

function rehearsedPart(part: Part): Part {
  switch (part.kind) {
    case "step":
      return rehearsedStep(part);
    case "parallel":
      return { ...part, steps: part.steps.map(rehearsedStep) };
    case "loop":
      return {
        ...part,
        ...UNPAID,
        maxIterations: Math.min(part.maxIterations, REHEARSAL_ITERATIONS),
        verify: withoutJudges(part.verify),
      };
    case "bash":
      return part;
  }
}

const UNPAID = { provider: null, model: null, tools: { allowed: null, denied: [] } } as const;

const rehearsedStep = (step: StepPart): StepPart => ({ ...step, ...UNPAID, retry: { ...step.retry, delayMs: 0 } });

/** Removes configured judges, which cost money; the scripted agent judges instead. */
export function withoutJudges<T>(value: T): T {
  if (Array.isArray(value)) return value.map(withoutJudges) as T;
  if (typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value).filter(([key]) => key !== "judge");
  return Object.fromEntries(kept.map(([key, one]) => [key, withoutJudges(one)])) as T;
}

/** The parts with an agent: each needs a scenario. */
export const agentParts = ({ parts }: Workflow): (StepPart | LoopPart)[] =>
  parts.flatMap((part) => lanesOf(part).filter((lane) => lane.kind !== "bash"));

/** A default scenario for a part: a step prints a text, a loop claims completion in its second iteration. */
export function scenarioOf(part: StepPart | LoopPart): object {
  const work = (said: string) => ({
    steps: [{ append: { path: FILE, content: `${part.name}, iteration {{iteration}}\n` } }, { say: said }],
  });
  if (part.kind === "step") return { iterations: [work(`Rehearsed ${part.name}.`)] };
  const claim = part.until === null ? "" : `\n\n<promise>${part.until}</promise>`;
  return {
    iterations: [
      work(`Rehearsed ${part.name}: worked, and did not claim anything.`),
      work(`Rehearsed ${part.name}: worked again.${claim}`),
    ],
  };
}

/** The file that the scripted agent changes, so that there is work. */
const FILE = "rehearsal.txt";

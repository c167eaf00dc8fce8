import type { WrittenStep, WrittenStepItem } from "../../../core/schema/workflow.ts";
import type { ParallelPart, Part, StepPart } from "../../../core/workflow/workflow.ts";
import { keyFault, valueFault } from "./fault.ts";
import { partNameOf, uniqueNames, type WantedName } from "./names.ts";
import { agentOf, type Reading, readPromptSource, retryOf, toolsOf } from "./part.ts";

type Path = readonly PropertyKey[];

type Unnamed = Omit<StepPart, "name"> | (Omit<ParallelPart, "name" | "steps"> & { steps: Omit<StepPart, "name">[] });

/** The steps of a workflow as parts. Faults are added to the reading. */
export function stepParts(items: readonly WrittenStepItem[], reading: Reading): Part[] {
  const parts = items.map((item, i) => unnamed(item, ["steps", i], reading));
  const wanted = items.map(wantedNames);
  const { names, repeated } = uniqueNames(wanted.flat().map(({ name }) => name));
  for (const index of repeated) {
    const path = wanted.flat()[index]?.path ?? [];
    reading.faults.push(valueFault([...path, "name"], `${names[index]} is the name of an earlier part`, RENAME));
  }
  return parts.flatMap((part, i): Part[] => {
    const own = names.splice(0, wanted[i]?.length ?? 0);
    return part ? [named(part, own)] : [];
  });
}

const RENAME = "use another name";

function named(part: Unnamed, [name = "", ...inner]: readonly string[]): Part {
  if (part.kind === "step") return { ...part, name };
  return { ...part, name, steps: part.steps.map((step, i) => ({ ...step, name: inner[i] ?? "" })) };
}

function wantedNames(item: WrittenStepItem, i: number): { name: WantedName; path: Path }[] {
  const own = `step-${i + 1}`;
  const inner = (item.parallel ?? []).map((step, j) => ({
    name: wantedName(step, `${own}-${j + 1}`),
    path: ["steps", i, "parallel", j],
  }));
  return [{ name: wantedName(item, own), path: ["steps", i] }, ...inner];
}

const wantedName = ({ name, command, step }: WrittenStep, otherwise: string): WantedName => ({
  given: name ?? null,
  otherwise: partNameOf(command ?? step ?? "") ?? otherwise,
});

function unnamed(item: WrittenStepItem, path: Path, reading: Reading): Unnamed | null {
  const { parallel, clearContext, clear_context, ...own } = item;
  if (clearContext !== undefined && clear_context !== undefined) {
    reading.faults.push(
      keyFault([...path, "clear_context"], "the same as clearContext, and both are given", "keep one"),
    );
  }
  if (!parallel) return stepOf(own, { path, fresh: clearContext ?? clear_context ?? false, reading });
  for (const key of Object.keys(item).filter((key) => key !== "parallel" && key !== "name")) {
    reading.faults.push(keyFault([...path, key], "is not allowed next to parallel", "move it into each of its steps"));
  }
  const steps = parallel.flatMap((step, j) => {
    const read = stepOf(step, { path: [...path, "parallel", j], fresh: true, reading });
    return read ? [read] : [];
  });
  return steps.length === parallel.length ? { kind: "parallel", steps } : null;
}

const SOURCES = ["command", "step", "prompt"] as const;

function stepOf(
  step: WrittenStep,
  { path, fresh, reading }: { path: Path; fresh: boolean; reading: Reading },
): Omit<StepPart, "name"> | null {
  const given = SOURCES.filter((key) => step[key] !== undefined);
  if (given.length !== 1) {
    const got = given.length === 0 ? "neither" : given.join(" and ");
    reading.faults.push(
      valueFault(path, `expected either command or prompt, got ${got}`, "write one: `command: plan`"),
    );
    return null;
  }
  const prompt = readPromptSource(step, path, reading);
  if (!prompt) return null;
  return {
    kind: "step",
    prompt,
    fresh,
    ...agentOf(step),
    tools: toolsOf(step),
    idleTimeoutS: step.idle_timeout ?? null,
    retry: retryOf(step.retry),
  };
}

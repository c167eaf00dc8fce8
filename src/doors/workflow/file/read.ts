import { isMap } from "../../../core/field.ts";
import {
  readWritten,
  type WrittenLoop,
  type WrittenWorkflow,
  workflowSpelling,
} from "../../../core/schema/workflow.ts";
import { outputVariable } from "../../../core/workflow/environment.ts";
import { type LoopPart, lanesOf, type Part, type Workflow } from "../../../core/workflow/workflow.ts";
import { type ReadFault, valueFault, withHint } from "./fault.ts";
import { withoutForeign } from "./foreign.ts";
import { formFaults, formsOf, sizeFaults, withoutEchoes } from "./form.ts";
import { nodeParts } from "./nodes.ts";
import { type CommandText, inlinePrompt, loopFields, type Reading, toolsOf } from "./part.ts";
import { stepParts } from "./steps.ts";
import { triggersOf } from "./triggers.ts";

type WorkflowRead =
  | { workflow: Workflow; faults: null }
  /** `name`: the name of the workflow, if the file has one. */
  | { workflow: null; name: string | null; faults: ReadFault[] };

/** Reads the parsed content of a workflow file, and the command files that it names. */
export function readWorkflow(value: unknown, { file, command }: { file: string; command: CommandText }): WorkflowRead {
  try {
    return readMap(value, { file, command });
  } catch (error) {
    // Too deep nesting overflows the stack.
    if (!(error instanceof RangeError)) throw error;
    return refused(null, [valueFault([], "nested too deeply", "docs/workflow-files.md shows complete workflows")]);
  }
}

const refused = (name: string | null, faults: ReadFault[]): WorkflowRead => ({ workflow: null, name, faults });

const WANTED = "expected a workflow: a map with name, description, and steps, or loop with prompt";
const BEGIN = "start with `name:`; docs/workflow-files.md shows complete workflows";

function readMap(value: unknown, { file, command }: { file: string; command: CommandText }): WorkflowRead {
  if (value === null || value === undefined)
    return refused(null, [valueFault([], `the file is empty, ${WANTED}`, BEGIN)]);
  if (!isMap(value)) return refused(null, [valueFault([], WANTED, BEGIN)]);
  const large = sizeFaults(value);
  if (large.length > 0) return refused(null, large);
  const spelt = workflowSpelling(value);
  const given = isMap(spelt) ? spelt : value;
  const { value: own, faults } = withoutForeign(given);
  faults.push(...formFaults(given));
  const written = readWritten(own);
  const name = typeof own.name === "string" ? own.name.trim() : null;
  if (!written.data) return refused(name, withoutEchoes([...faults, ...written.faults.map(withHint)]));
  if (faults.length > 0) return refused(name, faults);
  const reading: Reading = { command, faults };
  const parts = partsOf(written.data, reading);
  faults.push(...outputsInCommands(commandsOf(written.data), parts));
  return faults.length > 0 ? refused(name, faults) : { workflow: workflowOf(written.data, parts, file), faults: null };
}

const workflowOf = (written: WrittenWorkflow, parts: readonly Part[], file: string): Workflow => ({
  name: written.name,
  description: written.description.trim(),
  triggers: triggersOf(written.description),
  provider: written.provider ?? null,
  model: written.model ?? null,
  form: formsOf(written)[0] ?? "steps",
  parts,
  file,
});

function partsOf({ steps, loop, prompt = "", nodes }: WrittenWorkflow, reading: Reading): Part[] {
  if (loop) return [loopPart(loop, prompt, reading)];
  return steps ? stepParts(steps, reading) : nodeParts(nodes ?? [], reading);
}

/** The part of a workflow in the `loop` form. */
function loopPart(loop: WrittenLoop, prompt: string, { faults }: Reading): LoopPart {
  const promise = isMap(loop.verify) ? loop.verify.promise : undefined;
  if (promise !== undefined && promise !== loop.until) {
    faults.push(valueFault(["loop", "verify", "promise"], `differs from until, which is ${loop.until}`, "remove it"));
  }
  return {
    kind: "loop",
    name: "loop",
    prompt: inlinePrompt(prompt),
    provider: null,
    model: null,
    tools: toolsOf(loop),
    idleTimeoutS: loop.idle_timeout ?? null,
    ...loopFields(loop),
  };
}

function commandsOf({ loop, nodes = [] }: WrittenWorkflow): PlacedCommand[] {
  return [
    ...loopCommands(loop, ["loop"]),
    ...nodes.flatMap(({ bash, loop }, i) => [
      ...(bash === undefined ? [] : [{ path: ["nodes", i, "bash"], command: bash }]),
      ...loopCommands(loop, ["nodes", i, "loop"]),
    ]),
  ];
}

type LoopCommands = Pick<WrittenLoop, "until_bash" | "verify" | "guardrails">;

function loopCommands(loop: LoopCommands | undefined, path: readonly PropertyKey[]): PlacedCommand[] {
  const { until_bash, verify, guardrails = [] } = loop ?? {};
  const lists = Array.isArray(verify) ? verify : [];
  return [
    ...(until_bash === undefined ? [] : [{ path: [...path, "until_bash"], command: until_bash }]),
    ...(typeof verify === "string" ? [{ path: [...path, "verify"], command: verify }] : []),
    ...lists.map((command, i) => ({ path: [...path, "verify", i], command })),
    ...guardrails.map((one, i) => ({
      path: [...path, "guardrails", i],
      command: typeof one === "string" ? one : one.command,
    })),
  ];
}

const OUTPUT = /\$\{?([A-Za-z][\w-]*)\.output\b/g;

interface PlacedCommand {
  path: readonly PropertyKey[];
  command: string;
}

/** `$plan.output` in a command is a mistake: commands get outputs only in environment variables. */
function outputsInCommands(commands: readonly PlacedCommand[], parts: readonly Part[]): ReadFault[] {
  const names = new Set(parts.flatMap((part) => lanesOf(part).map(({ name }) => name)));
  return commands.flatMap(({ path, command }) => {
    const used = [...command.matchAll(OUTPUT)].map(([, name]) => name ?? "").find((name) => names.has(name));
    if (used === undefined) return [];
    const what = `$${used}.output is not replaced here: outputs are never inserted into commands`;
    return [valueFault(path, what, `use the environment variable "$${outputVariable(used)}"`)];
  });
}

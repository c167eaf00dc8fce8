import * as z from "zod";
import { DEFAULT_PRIORITY } from "../task/document.ts";
import { ID_WORDS, isId, type NewTask, TASK_STATUSES, type TaskStatus } from "../task/task.ts";
import { text } from "./atoms.ts";
import { DOCUMENT_KEYS, taskCompletionSpec } from "./criteria.ts";
import { type Fault, faultsOf } from "./faults.ts";
import { expected, strict } from "./messages.ts";
import { documentSpelling } from "./spelling.ts";

const id = (what: string) =>
  z
    .string(expected(`the id of ${what} as text (in quotes if it is a number)`))
    .refine(isId, expected(`the id of ${what}: ${ID_WORDS}`));

const anything = z.unknown().optional();

/** A task as written by the user. Keys that only a stored task has are ignored, so that an export can be imported. */
const writtenTask = strict(
  {
    id: id("the task"),
    spec_id: id("a spec").nullish(),
    title: text,
    description: z.string(expected("text")).nullish(),
    priority: z
      .int(expected("a whole number"))
      .min(0, expected("a whole number from 0; 1 is the highest priority"))
      .nullish(),
    dependencies: z.array(id("a task"), expected("a list of ids of tasks")).nullish(),
    assignee: z.string(expected("text")).nullish(),
    metadata: z.record(z.string(), z.unknown(), expected("a map")).nullish(),
    completion: taskCompletionSpec.nullish(),
    completion_spec: taskCompletionSpec.nullish(),
    status: z.enum(TASK_STATUSES, expected(`one of ${TASK_STATUSES.join(", ")}`)).nullish(),
    iteration: anything,
    created_at: anything,
    updated_at: anything,
    held: anything,
    loop: anything,
    proof: anything,
  },
  "{ id, spec_id, title, completion }",
).superRefine(({ completion, completion_spec }, { issues }) => {
  if (!completion || !completion_spec) return;
  const message = "expected either completion or completion_spec, got both";
  issues.push({ code: "custom", input: undefined, path: ["completion_spec"], message });
});

type WrittenTask = z.infer<typeof writtenTask>;

const KEYS = new Set([...DOCUMENT_KEYS, ...Object.keys(writtenTask.shape)]);

export interface TaskRules {
  /** For tasks without a spec. */
  spec?: string | undefined;
  /** Whether a task may have no completion criteria. */
  withoutCriteria?: boolean;
}

export type TaskRead =
  | { task: NewTask; status: TaskStatus; faults?: undefined }
  | { task?: undefined; faults: readonly Fault[] };

/** Parses one task, in either spelling. */
export function readTask(value: unknown, rules: TaskRules): TaskRead {
  const { data, error } = writtenTask.safeParse(documentSpelling(value, KEYS));
  if (!data) return { faults: faultsOf(error) };
  const specId = data.spec_id ?? rules.spec ?? "";
  const faults = [
    ...(specId === "" ? [fault(["spec_id"], "missing, expected the id of a spec (or use --spec)")] : []),
    ...(rules.withoutCriteria ? [] : missingCriteria(data)),
  ];
  return faults.length > 0 ? { faults } : { task: newTask(data, specId), status: data.status ?? "todo" };
}

const newTask = (data: WrittenTask, specId: string): NewTask => ({
  id: data.id,
  specId,
  title: data.title,
  description: data.description ?? "",
  priority: data.priority ?? DEFAULT_PRIORITY,
  dependencies: [...new Set(data.dependencies)],
  assignee: data.assignee ?? "",
  metadata: data.metadata ?? {},
  completionSpec: data.completion ?? data.completion_spec ?? null,
});

function missingCriteria({ completion, completion_spec }: WrittenTask): Fault[] {
  const given = completion ?? completion_spec;
  if (!given) return [fault(["completion"], MISSING_CRITERIA)];
  const key = completion ? "completion" : "completion_spec";
  return given.acceptance_criteria.length > 0 ? [] : [fault([key, "acceptance_criteria"], NO_CRITERIA)];
}

const MISSING_CRITERIA = "missing, expected { outcome, acceptance_criteria } (or use --no-criteria)";
const NO_CRITERIA = "expected at least one criterion, got none (or use --no-criteria)";

const fault = (path: readonly string[], what: string): Fault => ({
  path,
  at: "value",
  text: `${path.join(".")}: ${what}`,
});

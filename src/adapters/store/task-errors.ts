import { editDistance } from "../../core/edit-distance.ts";
import { RalphError } from "../../core/errors.ts";
import { ID_WORDS, type TaskStatus } from "../../core/task/task.ts";

const MOST_NAMED = 5;
const MOST_OF_CIRCLE = 30;

const some = (names: readonly string[], between = ", "): string =>
  names.slice(0, MOST_NAMED).join(between) +
  (names.length > MOST_NAMED ? `${between}and ${names.length - MOST_NAMED} more` : "");

type Kind = "task" | "spec";

export const badId = (kind: Kind, id: string): RalphError =>
  new RalphError(`${kind}-id`, `${JSON.stringify(id.slice(0, 80))} cannot be the id of a ${kind}`, {
    hint: `an id has ${ID_WORDS}`,
  });

export const takenId = (kind: Kind, ids: readonly string[]): RalphError =>
  new RalphError(
    `${kind}-exists`,
    `${ids.length > 1 ? `these ${kind}s already exist` : `the ${kind} already exists`}: ${some(ids)}`,
    {
      hint:
        kind === "task"
          ? "see `ralph task show <id>`; `ralph task update <id>` changes a task"
          : "see `ralph spec show <id>`",
    },
  );

export const sameButCase = (kind: Kind, id: string, other: string): RalphError =>
  new RalphError(`${kind}-exists`, `the id ${id} differs from ${other} only in upper and lower case`, {
    hint: "an id also names a branch and a folder, and some file systems ignore case: choose another",
  });

export const givenTwice = (ids: readonly string[]): RalphError =>
  new RalphError("task-twice", `given more than once: ${some(ids)}`, { hint: "every task needs its own id" });

export const missingDependencies = (missing: readonly { task: string; needs: string }[]): RalphError =>
  new RalphError(
    "dependency-unknown",
    some(
      missing.map(({ task, needs }) => `${task} depends on ${needs}, which does not exist`),
      "; ",
    ),
    { hint: "create these tasks first or together with it; `ralph task list` shows existing tasks" },
  );

export function circle(ids: readonly string[]): RalphError {
  const [id = "", ...rest] = ids;
  const says = rest.length === 1 ? `${id} depends on itself` : "these tasks depend on each other in a circle";
  const left = ids.length - MOST_OF_CIRCLE;
  const way = left > 0 ? [...ids.slice(0, MOST_OF_CIRCLE - 1), `… ${left} more …`, id] : ids;
  return new RalphError("dependency-circle", `${says}: ${way.join(" → ")}`, {
    hint: "remove one of these dependencies: none of the tasks could ever start",
  });
}

export const begunTask = (id: string, status: TaskStatus): RalphError =>
  new RalphError("task-begun", `task ${id} is ${status}: it is being worked on`, {
    hint: `\`ralph cancel ${id}\` stops it`,
  });

export const neededTask = (id: string, by: readonly string[]): RalphError =>
  new RalphError("task-needed", `task ${id} is needed by ${some(by)}`, {
    hint: "remove it from their dependencies first: `ralph task update <id> --depends-on …`",
  });

export const unmergedTask = (id: string, branch: string): RalphError =>
  new RalphError("task-unmerged", `task ${id} has work on the branch ${branch} that is not merged`, {
    hint: "`ralph execute` finishes it; a cancelled task stays as it is, with its branch",
  });

/** Suggests up to three tasks with similar ids. */
export function unknownTask(id: string, known: Iterable<string>): RalphError {
  const wanted = id.toLowerCase();
  const allowed = Math.max(2, Math.floor(wanted.length / 4));
  const near: { name: string; slips: number }[] = [];
  for (const name of known) {
    if (Math.abs(name.length - wanted.length) > allowed) continue;
    const slips = editDistance(wanted, name.toLowerCase());
    if (slips > allowed || slips >= wanted.length || slips >= (near[2]?.slips ?? Number.POSITIVE_INFINITY)) continue;
    near.push({ name, slips });
    near.sort((a, b) => a.slips - b.slips).splice(3);
  }
  const meant = near.length > 0 ? `, did you mean ${near.map(({ name }) => name).join(" or ")}?` : "";
  return new RalphError("task-unknown", `there is no task ${id.slice(0, 80)}${meant}`, {
    hint: "`ralph task list` shows them",
  });
}

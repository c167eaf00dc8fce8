import { basename } from "node:path";
import { checkoutRoot } from "../../../adapters/io/checkout.ts";
import { nullOn, RalphError } from "../../../core/errors.ts";
import { shorten } from "../../../core/excerpt.ts";
import type { TaskEvent } from "../../../core/task/events.ts";
import { nextIds } from "../../../core/task/next-ids.ts";
import type { NewTask } from "../../../core/task/task.ts";
import type { Workspace } from "../../../core/workspace.ts";
import { plainText } from "../import/draft.ts";
import { slugId } from "../import/names.ts";

/** Enough for a line of a list; longer texts are descriptions. */
const TITLE_CHARS = 120;

/** The title and the description in a text: its first line, and the text if it says more. Null if it is empty. */
export function titledText(text: string): { title: string; description: string } | null {
  const whole = plainText(text);
  const [line = ""] = whole.split("\n");
  const title = line.replace(MARKS, "").replace(/\s+/g, " ").trim();
  if (title === "") return null;
  const short = shorten(title, TITLE_CHARS).replace(/\p{Surrogate}/gu, "");
  const rest = whole.slice(line.length).trim();
  return { title: short, description: short === title ? rest : whole };
}

/** A heading, or an item of a list. */
const MARKS = /^\s*(?:#{1,6}\s+|[-*+]\s+(?:\[[ xX]\]\s+)?|\d+[.)]\s+)/;

/** The spec of tasks that name none: the only one, or one named after the repository. */
export async function defaultSpec({ tasks, cwd }: Workspace): Promise<string> {
  const specs = await tasks.specs();
  const [only, ...others] = specs;
  if (only && others.length === 0) return only.id;
  const name = slugId(basename(checkoutRoot(cwd) ?? cwd)) ?? "tasks";
  return specs.find(({ id }) => id.toLowerCase() === name.toLowerCase())?.id ?? name;
}

/** Far more processes than add tasks at the same moment. */
const MOST_TRIES = 1_000;

/** Creates tasks under the next free ids, which another process may take in the meantime: then under those after. */
export async function addTasks(
  { tasks }: Workspace,
  drafts: readonly NewTask[],
  first: TaskEvent,
): Promise<{ added: NewTask[]; specs: string[] }> {
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const known = (await tasks.list()).map(({ id }) => id);
    const ids = nextIds(known, drafts.length);
    const added = drafts.map((draft, i) => ({ ...draft, id: ids[i] ?? draft.id }));
    const specs = await tasks.create(added, Date.now(), first).catch(nullOn("task-exists"));
    if (specs) return { added, specs };
  }
  throw new RalphError("task-ids", "other processes keep taking the next ids", {
    hint: "`ralph task create <id> <spec> <title>` gives a task an id of your own",
  });
}

// Before any schema.
import "./no-eval.ts";
import { keyName } from "../../../../core/complaints.ts";
import type { Fault } from "../../../../core/schema/faults.ts";
import { readTask } from "../../../../core/schema/task.ts";
import { AGENT_ROLES } from "../../../../core/task/role.ts";
import type { Failure } from "../../api.ts";
import { type Draft, documentOf } from "./draft.ts";

/** What is wrong, by the name of the field; `general`: what belongs to no field. */
export interface Faults {
  fields: Readonly<Record<string, string>>;
  general: readonly string[];
}

/** The names of the fields of a draft: the keys of the document that they fill. */
export function fieldNames({ criteria, agents }: Draft): readonly string[] {
  const at = "completion_spec";
  return [
    ...["id", "spec_id", "title", "description", "priority", "dependencies", "assignee", `${at}.outcome`],
    ...criteria.flatMap((_, n) => ["text", "check"].map((key) => `${at}.acceptance_criteria[${n}].${key}`)),
    ...AGENT_ROLES.flatMap((role) => [
      ...["promise", "max_iterations", "verification_config.command", "verification_config.check_for"].map(
        (key) => `${at}.${role}.${key}`,
      ),
      ...agents[role].stages.flatMap((_, n) =>
        ["name", "config.command"].map((key) => `${at}.${role}.verification_config.stages[${n}].${key}`),
      ),
    ]),
  ];
}

/** Checks a draft by the schemas of the server, which numbers tasks without an id and knows the default spec. */
export function faultsOfDraft(draft: Draft): Faults | null {
  const { task, faults = [] } = readTask({ id: "TASK-000", spec_id: "default", ...documentOf(draft) }, {});
  return task ? null : placed(faults.map(pathAndText), fieldNames(draft));
}

const pathAndText = ({ path, text }: Fault) => ({ at: keyName(path), text });

/** What can be wrong with a valid task, by the server's code. */
const CODES: ReadonlyMap<string, string> = new Map([
  ["task-exists", "id"],
  ["dependency-unknown", "dependencies"],
  ["dependency-circle", "dependencies"],
]);

/** Where the server's refusal belongs. It names each fault by its key: `the body: title: missing, …; …`. */
export function faultsOfFailure({ code, message, hint }: Failure, draft: Draft): Faults {
  const said = message.replace(/^the body: /, "");
  const own = CODES.get(code);
  if (own) return { fields: { [own]: said }, general: [] };
  const faults = said.split("; ").map((text) => ({ at: /^[\w.[\]]+(?=: )/.exec(text)?.[0] ?? "", text }));
  const found = placed(faults, fieldNames(draft));
  return { ...found, general: found.general.length > 0 && hint ? [...found.general, hint] : found.general };
}

function placed(faults: readonly { at: string; text: string }[], names: readonly string[]): Faults {
  const fields: Record<string, string> = {};
  const general: string[] = [];
  for (const { at, text } of faults) {
    const name = fieldOf(at, names);
    if (name === null) general.push(text);
    else fields[name] ??= text.startsWith(`${at}: `) ? text.slice(at.length + 2) : text;
  }
  return { fields, general };
}

/** The field of a key, or the first one inside it, or the one that it is inside of. */
function fieldOf(at: string, names: readonly string[]): string | null {
  if (at === "") return null;
  const isInside = (inner: string, outer: string) => inner.startsWith(`${outer}.`) || inner.startsWith(`${outer}[`);
  return names.find((name) => name === at || isInside(name, at)) ?? names.find((name) => isInside(at, name)) ?? null;
}

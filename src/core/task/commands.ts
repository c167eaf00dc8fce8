import type { TaskCompletionSpec } from "../schema/criteria.ts";

/** Everything that Ralph runs because of a task's own criteria: commands, plugins, templates, agents of judges. */
export function commandsIn(spec: TaskCompletionSpec | null): string[] {
  const found = new Set<string>();
  const look = (value: unknown, key: string): void => {
    const run = typeof value === "string" ? runBy(key, value) : null;
    if (run !== null) found.add(run);
    if (typeof value !== "object" || value === null) return;
    for (const [name, one] of Object.entries(value)) look(one, Array.isArray(value) ? key : name);
  };
  look(spec, "");
  return [...found];
}

/** What Ralph runs because of one key of the criteria. */
function runBy(key: string, value: string): string | null {
  switch (key) {
    case "command":
    case "check":
    case "agent":
      return value;
    case "template":
    case "verification_template":
      return `template ${value}`;
    case "method":
    case "verification_method":
      return value.startsWith("plugin:") ? value : null;
    default:
      return null;
  }
}

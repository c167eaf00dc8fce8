import type { Settings } from "../../core/schema/settings.ts";
import { AGENT_ROLES } from "../../core/task/role.ts";

type Plain = Record<string, unknown>;

const isPlain = (value: unknown): value is Plain =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Merges settings. Later layers win: objects merge key by key, arrays and single values replace. */
export function mergeSettings(...layers: readonly Settings[]): Settings {
  const merged: Plain = {};
  for (const layer of layers) {
    // Two keys for the same setting: the later layer replaces the other.
    if (layer.agents) delete merged.agent;
    if (layer.agent) delete merged.agents;
    if (namesMethod(layer.completion)) forgetMethod(merged.completion);
    for (const role of AGENT_ROLES) if (namesMethod(layer.ralph?.[role])) forgetMethod(ralphOf(merged)[role]);
    mergeInto(merged, layer);
  }
  return merged;
}

interface Method {
  verification_method?: string;
  verification_template?: string;
}

const namesMethod = (criteria: Method | undefined): boolean =>
  (criteria?.verification_method ?? criteria?.verification_template) !== undefined;

const ralphOf = ({ ralph }: Plain): Plain => (isPlain(ralph) ? ralph : {});

/** The configuration of one method does not apply to another. */
function forgetMethod(criteria: unknown): void {
  if (!isPlain(criteria)) return;
  for (const key of ["verification_method", "verification_config", "verification_template"]) delete criteria[key];
}

function mergeInto(target: Plain, layer: Plain): void {
  for (const [key, value] of Object.entries(layer)) {
    if (!isPlain(value)) {
      target[key] = value;
      continue;
    }
    const below = target[key];
    const nested = isPlain(below) ? below : {};
    target[key] = nested;
    mergeInto(nested, value);
  }
}

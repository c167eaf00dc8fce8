import type { Settings } from "../core/schema/settings.ts";

type Plain = Record<string, unknown>;

const isPlain = (value: unknown): value is Plain =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Later layers win; objects merge key by key, arrays and single values replace. */
export function mergeSettings(...layers: readonly Settings[]): Settings {
  const merged: Plain = {};
  for (const layer of layers) {
    // Two ways to say the same thing: the later layer's way replaces the other.
    if (layer.agents) delete merged.agent;
    if (layer.agent) delete merged.agents;
    if (layer.completion?.verification_method ?? layer.completion?.verification_template) forgetMethod(merged);
    mergeInto(merged, layer);
  }
  return merged;
}

/** The configuration of one method means nothing to another. */
function forgetMethod({ completion }: Plain): void {
  if (!isPlain(completion)) return;
  for (const key of ["verification_method", "verification_config", "verification_template"]) delete completion[key];
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

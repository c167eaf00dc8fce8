import type * as z from "zod";

/** The method that a configuration implies by its keys. */
export function impliedMethod(config: Record<string, unknown>): string | undefined {
  if ("command" in config) return "external";
  if ("stages" in config) return "multi_stage";
  return "check_for" in config || "negative_patterns" in config ? "semantic" : undefined;
}

/** Collects the issues of a schema. */
export interface Context {
  issues: z.core.$ZodRawIssue[];
}

type UnknownKeys = z.core.$ZodIssueUnrecognizedKeys;
/** The schema of each method's configuration. */
type Configs = Readonly<Record<string, z.ZodObject>>;

interface Given {
  method: string | undefined;
  config: Record<string, unknown> | undefined;
  template: string | undefined;
}

/** The names of the keys for method, configuration and template. */
interface Keys {
  method: string;
  config: string;
  template: string;
}
export const STAGE_KEYS: Keys = { method: "method", config: "config", template: "template" };
export const CRITERIA_KEYS: Keys = {
  method: "verification_method",
  config: "verification_config",
  template: "verification_template",
};

/** Reports errors in a configuration at their own path. A template's configuration is checked once it is filled in. */
export function checkConfig(
  given: Given,
  { keys, configs }: { keys: Keys; configs: Configs },
  { issues }: Context,
): void {
  const issue = combinationIssue(given, keys);
  if (issue) issues.push({ code: "custom", input: undefined, ...issue });
  const { method, config = {}, template } = given;
  const meant = method ?? impliedMethod(config) ?? "";
  if (template !== undefined || !configs[meant]) return;
  for (const found of configs[meant].safeParse(config).error?.issues ?? []) {
    const message = found.code === "unrecognized_keys" ? ownersNamed(found, meant, configs) : found.message;
    // Already an issue with a message: only its path changes.
    issues.push({ ...found, message, path: [keys.config, ...found.path] } as z.core.$ZodRawIssue);
  }
}

/** An invalid combination of the three keys. */
function combinationIssue(
  { method, config = {}, template }: Given,
  keys: Keys,
): { path: string[]; message: string } | null {
  if (template !== undefined && method !== undefined) {
    return { path: [keys.template], message: `expected either ${keys.template} or ${keys.method}, got both` };
  }
  const nameless = template === undefined && method === undefined && impliedMethod(config) === undefined;
  return nameless && Object.keys(config).length > 0
    ? { path: [keys.config], message: `the method is missing: expected ${keys.method} or ${keys.template} next to it` }
    : null;
}

/** Messages for unknown keys; a key of another method is reported with that method. */
function ownersNamed({ keys, message, path }: UnknownKeys, method: string, configs: Configs): string {
  if (path.length > 0) return message;
  const lines = message.split("\n");
  return keys
    .map((key, i) => {
      const owner = Object.keys(configs).find((other) => other !== method && key in (configs[other]?.shape ?? {}));
      return owner ? `${JSON.stringify(key)} belongs to the method ${owner}, not to ${method}` : lines[i];
    })
    .join("\n");
}

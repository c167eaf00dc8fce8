import type * as z from "zod";

/** What a method's configuration looks like. */
export interface MethodConfig {
  schema: z.ZodObject;
  /** Keys that no other method has: one of them names the method. */
  impliedBy: readonly string[];
}

type Methods = Readonly<Record<string, MethodConfig>>;

/** The method that a configuration implies by its keys. */
export const impliedMethod = (config: Record<string, unknown>, methods: Methods): string | undefined =>
  Object.keys(methods).find((name) => methods[name]?.impliedBy.some((key) => key in config));

/** Collects the issues of a schema. */
export interface Context {
  issues: z.core.$ZodRawIssue[];
}

type UnknownKeys = z.core.$ZodIssueUnrecognizedKeys;

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
  { keys, methods }: { keys: Keys; methods: Methods },
  { issues }: Context,
): void {
  const issue = combinationIssue(given, keys, methods);
  if (issue) issues.push({ code: "custom", input: undefined, ...issue });
  const { method, config = {}, template } = given;
  const meant = method ?? impliedMethod(config, methods) ?? "";
  if (template !== undefined || !methods[meant]) return;
  for (const issue of methods[meant].schema.safeParse(config).error?.issues ?? []) {
    const message = issue.code === "unrecognized_keys" ? ownersNamed(issue, meant, methods) : issue.message;
    // Already an issue with a message: only its path changes.
    issues.push({ ...issue, message, path: [keys.config, ...issue.path] } as z.core.$ZodRawIssue);
  }
}

/** An invalid combination of the three keys. */
function combinationIssue(
  { method, config = {}, template }: Given,
  keys: Keys,
  methods: Methods,
): { path: string[]; message: string } | null {
  if (template !== undefined && method !== undefined) {
    return { path: [keys.template], message: `expected either ${keys.template} or ${keys.method}, got both` };
  }
  const nameless = template === undefined && method === undefined && impliedMethod(config, methods) === undefined;
  return nameless && Object.keys(config).length > 0
    ? { path: [keys.config], message: `the method is missing: expected ${keys.method} or ${keys.template} next to it` }
    : null;
}

/** Messages for unknown keys; a key of another method is reported with that method. */
function ownersNamed({ keys, message, path }: UnknownKeys, method: string, methods: Methods): string {
  if (path.length > 0) return message;
  const lines = message.split("\n");
  return keys
    .map((key, i) => {
      const owner = Object.keys(methods).find(
        (other) => other !== method && key in (methods[other]?.schema.shape ?? {}),
      );
      return owner ? `${JSON.stringify(key)} belongs to the method ${owner}, not to ${method}` : lines[i];
    })
    .join("\n");
}

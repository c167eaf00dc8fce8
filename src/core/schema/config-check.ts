import type * as z from "zod";

/** What a method's configuration looks like. */
export interface MethodConfig {
  schema: z.ZodObject;
  /** Keys that no other method has: one of them names the method. */
  impliedBy: readonly string[];
}

type Methods = Readonly<Record<string, MethodConfig>>;

/** The method that a configuration can only be meant for: a command is run, stages follow each other. */
export const impliedMethod = (config: Record<string, unknown>, methods: Methods): string | undefined =>
  Object.keys(methods).find((name) => methods[name]?.impliedBy.some((key) => key in config));

/** Where a schema puts what it finds. */
export interface Context {
  issues: z.core.$ZodRawIssue[];
}

type UnknownKeys = z.core.$ZodIssueUnrecognizedKeys;

interface Given {
  method: string | undefined;
  config: Record<string, unknown> | undefined;
  template: string | undefined;
}

/** What method, configuration and template are called where they stand. */
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

/** Reports what is wrong with a configuration, each at its own place. A template's is looked at when it is filled in. */
export function checkConfig(
  given: Given,
  { keys, methods }: { keys: Keys; methods: Methods },
  { issues }: Context,
): void {
  const amiss = togetherAmiss(given, keys, methods);
  if (amiss) issues.push({ code: "custom", input: undefined, ...amiss });
  const { method, config = {}, template } = given;
  const meant = method ?? impliedMethod(config, methods) ?? "";
  if (template !== undefined || !methods[meant]) return;
  for (const issue of methods[meant].schema.safeParse(config).error?.issues ?? []) {
    const message = issue.code === "unrecognized_keys" ? ownersNamed(issue, meant, methods) : issue.message;
    // Already an issue, and in words: it only has to be reported at the right place.
    issues.push({ ...issue, message, path: [keys.config, ...issue.path] } as z.core.$ZodRawIssue);
  }
}

/** What is wrong with the three of them beside each other. */
function togetherAmiss(
  { method, config = {}, template }: Given,
  keys: Keys,
  methods: Methods,
): { path: string[]; message: string } | null {
  if (template !== undefined && method !== undefined) {
    return { path: [keys.template], message: `expected either ${keys.template} or ${keys.method}, got both` };
  }
  const nameless = template === undefined && method === undefined && impliedMethod(config, methods) === undefined;
  return nameless && Object.keys(config).length > 0
    ? { path: [keys.config], message: `of which method? Expected ${keys.method} or ${keys.template} beside it` }
    : null;
}

/** Of keys that are not known: one that another method has is reported with that method. */
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

import { PLUGIN_PREFIX } from "../proof/proof.ts";
import { DOCUMENT_KEYS } from "./criteria.ts";

/**
 * Converts known keys to snake_case: criteria may be written as `verification_method` or `verificationMethod`. Unknown
 * keys stay unchanged, so that a misspelled key is reported as it was written.
 */
export function documentSpelling(value: unknown, known: ReadonlySet<string> = DOCUMENT_KEYS): unknown {
  if (Array.isArray(value)) return value.map((item) => documentSpelling(item, known));
  if (typeof value !== "object" || value === null) return value;
  const given = new Set(Object.keys(value));
  const entries = Object.entries(value).map(([key, inner]) => {
    const name = snakeCase(key);
    // If both spellings are given, the second one stays and is rejected as unknown.
    return [known.has(name) && !(name !== key && given.has(name)) ? name : key, inner] as const;
  });
  const own = ownKeys(Object.fromEntries(entries));
  return Object.fromEntries(
    entries.map(([key, inner]) => [key, own.has(key) ? inner : documentSpelling(inner, known)]),
  );
}

/**
 * Keys whose values have the user's own names: environment variables, metadata, the configuration of a plugin or
 * template.
 */
function ownKeys(stage: Record<string, unknown>): ReadonlySet<string> {
  const named = "template" in stage || "verification_template" in stage;
  const plugin = [stage.method, stage.verification_method].some((word) => String(word).startsWith(PLUGIN_PREFIX));
  return new Set(["env", "metadata", ...(named || plugin ? ["config", "verification_config"] : [])]);
}

/** The snake_case spelling of a key. */
export const snakeCase = (key: string): string =>
  /^[a-z][A-Za-z0-9]*$/.test(key) ? key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`) : key;

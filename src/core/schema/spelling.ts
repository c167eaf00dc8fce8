/**
 * Criteria are written with the names of the documents (`verification_method`), or as JavaScript would have them
 * (`verificationMethod`). What is kept has the documents' names. Keys that are a person's own are left alone.
 */
export function documentSpelling(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(documentSpelling);
  if (typeof value !== "object" || value === null) return value;
  const given = new Set(Object.keys(value));
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      const name = snakeCase(key);
      // Given in both spellings: the second one stays, and is refused as unknown.
      const spelled = name !== key && given.has(name) ? key : name;
      return [spelled, OWN_KEYS.has(name) ? inner : documentSpelling(inner)];
    }),
  );
}

/** Environment variables, and what belongs to a plugin or a template. */
const OWN_KEYS: ReadonlySet<string> = new Set(["env", "options", "metadata"]);

const snakeCase = (key: string): string =>
  /^[a-z][A-Za-z0-9]*$/.test(key) ? key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`) : key;

/** The other spelling of a key of the documents. */
export const camelCase = (key: string): string => key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

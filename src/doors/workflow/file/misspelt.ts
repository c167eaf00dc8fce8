import { keyName } from "../../../core/complaints.ts";
import { camelCase } from "../../../core/schema/messages.ts";
import type { ReadFault } from "./fault.ts";
import { NO_FORM } from "./form.ts";

/** A key that is missing because it is misspelt is reported once: where it is misspelt. */
export function withoutEchoes(faults: readonly ReadFault[]): ReadFault[] {
  const meant = new Set(faults.flatMap(meantBy));
  return faults.filter(({ path, text }) => {
    if (text === NO_FORM) return !FORM_KEYS.some((key) => meant.has(key));
    return !(/(^|: )missing, /.test(text) && meant.has(placeOf(path)));
  });
}

const FORM_KEYS = ["steps", "loop", "nodes"];

/** The place of the key that a misspelt one means. */
function meantBy({ path, at, text }: ReadFault): string[] {
  const key = at === "key" ? /, did you mean "([^"]+)"\?/.exec(text)?.[1] : undefined;
  return key === undefined ? [] : [placeOf([...path.slice(0, -1), key])];
}

const placeOf = (path: readonly PropertyKey[]): string => camelCase(keyName(path));

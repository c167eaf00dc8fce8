import { outputVariable } from "../../../core/workflow/environment.ts";

/** The name of a part: the given one, or one made from its content. */
export interface WantedName {
  given: string | null;
  otherwise: string;
}

/** Names with the same environment variable are equal. */
const sameName = outputVariable;

/** One name per part. Given names are kept; the others are numbered. `repeated`: the indexes of names given twice. */
export function uniqueNames(wanted: readonly WantedName[]): { names: string[]; repeated: number[] } {
  const taken = new Set<string>();
  const repeated = wanted.flatMap(({ given }, i) => {
    if (given === null) return [];
    const isNew = !taken.has(sameName(given));
    taken.add(sameName(given));
    return isNew ? [] : [i];
  });
  const names = wanted.map(({ given, otherwise }) => {
    if (given !== null) return given;
    let name = otherwise;
    for (let times = 2; taken.has(sameName(name)); times++) name = `${otherwise}-${times}`;
    taken.add(sameName(name));
    return name;
  });
  return { names, repeated };
}

/** Converts a command's name to a part name that prompts can use in `$name.output`. */
export function partNameOf(command: string): string | null {
  const name = command.replace(/[^A-Za-z0-9_-]+/g, "-").replace(/^[^A-Za-z]+|-+$/g, "");
  return name === "" ? null : name;
}

import { outputVariable } from "../../../core/workflow/environment.ts";

/** What a part is to be called: as its author says, or else as something like that. */
export interface WantedName {
  given: string | null;
  otherwise: string;
}

interface Named {
  names: string[];
  /** Those that were given to two parts, by their places. */
  repeated: number[];
}

/** Names that commands could not tell apart, as they find outputs in their environment, are the same. */
const sameName = outputVariable;

/** One name a part. Given names stay as they are; the others are numbered where somebody else has them. */
export function uniqueNames(wanted: readonly WantedName[]): Named {
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

/** A command's name as that of a part, which prompts can use in `$name.output`. */
export function partNameOf(command: string): string | null {
  const name = command.replace(/[^A-Za-z0-9_-]+/g, "-").replace(/^[^A-Za-z]+|-+$/g, "");
  return name === "" ? null : name;
}

import { type Command, Option } from "commander";
import { counted } from "../../../core/excerpt.ts";
import { durationSeconds } from "./arguments.ts";

/** What was typed for a duration without a unit. */
const typedBare = new WeakMap<Option, string>();

/** An option for a duration. A number without a unit is seconds, which is reported. */
export function durationOption(
  flags: string,
  says: string,
  parse: (text: string) => unknown = durationSeconds,
): Option {
  const option = new Option(flags, says);
  return option.argParser((text) => {
    const value = parse(text);
    const typed = text.trim();
    if (/^[\d.]+$/.test(typed)) typedBare.set(option, typed);
    else typedBare.delete(option);
    return value;
  });
}

/** For each duration of a command line without a unit: the unit it got. */
export const unitNotes = ({ options }: Command): string[] =>
  options.flatMap((option) => {
    const typed = typedBare.get(option);
    if (typed === undefined) return [];
    const seconds = typed === "1" ? counted(1, "second") : `${typed} seconds`;
    return [`${option.long} ${typed}: ${seconds}; write ${typed}m for minutes`];
  });

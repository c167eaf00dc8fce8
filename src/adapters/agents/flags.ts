/** A CLI flag with all its names and, if it takes one, its value. */
export interface Option {
  names: readonly string[];
  value?: string;
}

/** The flag as arguments, under its first name. */
export const spelled = ({ names: [name = ""], value }: Option): string[] =>
  value === undefined ? [name] : [name, value];

const isNamed = (argument: string, name: string): boolean => argument === name || argument.startsWith(`${name}=`);

/** Whether the arguments contain one of these flags, also as `--flag=value`. */
export const hasFlag = (args: readonly string[], names: readonly string[]): boolean =>
  args.some((argument) => names.some((name) => isNamed(argument, name)));

/** The last value of a flag in the arguments; null if it is not given. */
export function valueIn(args: readonly string[], names: readonly string[]): string | null {
  const at = args.findLastIndex((argument) => names.some((name) => isNamed(argument, name)));
  const argument = args[at];
  if (argument === undefined) return null;
  return argument.includes("=") ? argument.slice(argument.indexOf("=") + 1) : (args[at + 1] ?? "");
}

/** Removes these flags and the values after them. An argument for which `isKept` is true is never such a value. */
export function withoutFlags(
  args: readonly string[],
  dropped: readonly string[],
  isKept: (argument: string) => boolean,
): string[] {
  let dropping = false;
  return args.filter((argument) => {
    if (isKept(argument)) dropping = false;
    else if (argument.startsWith("-")) dropping = dropped.some((name) => isNamed(argument, name));
    return !dropping;
  });
}

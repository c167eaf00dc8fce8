/** A flag of a CLI under all its names; with a value where it takes one. */
export interface Option {
  names: readonly string[];
  value?: string;
}

/** The flag as arguments, under its first name. */
export const spelled = ({ names: [name = ""], value }: Option): string[] =>
  value === undefined ? [name] : [name, value];

const isNamed = (argument: string, name: string): boolean => argument === name || argument.startsWith(`${name}=`);

/** Whether the arguments hold one of these flags, also as `--flag=value`. */
export const holds = (args: readonly string[], names: readonly string[]): boolean =>
  args.some((argument) => names.some((name) => isNamed(argument, name)));

/** The value that the arguments give to a flag, the last one where it is given more than once; null: not given. */
export function valueIn(args: readonly string[], names: readonly string[]): string | null {
  const at = args.findLastIndex((argument) => names.some((name) => isNamed(argument, name)));
  const argument = args[at];
  if (argument === undefined) return null;
  return argument.includes("=") ? argument.slice(argument.indexOf("=") + 1) : (args[at + 1] ?? "");
}

/** The arguments without these flags and the values that follow them; one that `isKept` is nobody's value. */
export function without(
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

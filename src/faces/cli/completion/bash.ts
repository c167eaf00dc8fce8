import { DEFAULT_COMMAND, LISTED, OWN_OPTIONS } from "../program/well-known.ts";
import type { CommandShape, ValueKind } from "./shape.ts";

/** A script for bash from 3.2, which macOS still has, without the bash-completion package. */
export function bashCompletion(shapes: readonly CommandShape[]): string {
  const steps = shapes.flatMap(({ path, commands }) => commands.map(({ name }) => `${path} ${name}`));
  const options = shapes.flatMap((shape) =>
    shape.options.flatMap(({ names, value }) => names.map((name) => ({ at: `${shape.path} ${name}`, value }))),
  );
  const withValue = options.flatMap(({ at, value }) => (value ? [{ at, value }] : []));
  return `# Completion of ralph in bash, made by \`ralph completion bash\`.
_ralph() {
  local IFS=$' \\t\\n' cur=\${COMP_WORDS[COMP_CWORD]} at="" option="" n=0 i word
  COMPREPLY=()
  # bash cuts --context=fresh into three words.
  [[ $cur == "=" ]] && cur=""
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    [[ $word == "=" ]] && continue
    if [[ $option ]]; then option=""; continue; fi
    # A leading option implies the default command.
    [[ ! $at && $word == -* && ${quoted(` ${OWN_OPTIONS.join(" ")} `)} != *" $word "* ]] && at=${DEFAULT_COMMAND}
    case "$at $word" in
      ${alternatives(steps)}) at="\${at:+$at }$word" n=0 ;;
      ${alternatives(withValue.map(({ at }) => at))}) option=$word ;;
      *) [[ $word == -* ]] || n=$((n + 1)) ;;
    esac
  done
  if [[ $option ]]; then
    case "$at $option" in
${byValue(withValue)}
    esac
  elif [[ $cur == -* ]]; then
    case "$at" in
${shapes.map((shape) => `      ${quoted(shape.path)}) _ralph_words ${quoted(optionNames(shape, shapes).join(" "))} ;;`).join("\n")}
    esac
  else
    case "$at $n" in
${byValue(shapes.flatMap(positions))}
    esac
  fi
}
_ralph_words() { COMPREPLY=($(compgen -W "$1" -- "$cur")); }
${Object.entries(LISTED).map(offering).join("\n")}
_ralph_programs() { COMPREPLY=($(compgen -c -- "$cur")); }
_ralph_files() {
  local IFS=$'\\n'
  compopt -o default 2>/dev/null || COMPREPLY=($(compgen -f -- "$cur"))
}
complete -F _ralph ralph
`;
}

const offering = ([what, command]: [string, string]): string =>
  `_ralph_${what}s() { _ralph_words "$("\${COMP_WORDS[0]}" ${command} 2>/dev/null | cut -f1)"; }`;

interface Place {
  at: string;
  value: ValueKind;
}

/** The positions of commands and arguments: the words and the number of arguments before them. */
const positions = ({ path, commands, arguments: values }: CommandShape): Place[] => [
  ...(commands.length > 0
    ? [{ at: `${path} 0`, value: { is: "choices" as const, words: commands.map(({ name }) => name) } }]
    : []),
  ...values.map((value, i) => ({ at: `${path} ${i}`, value })),
];

/** One branch for every kind of value; values that cannot be completed have none. */
function byValue(places: readonly Place[]): string {
  const branches = new Map<string, string[]>();
  for (const { at, value } of places) {
    const offer = offerOf(value);
    if (offer) branches.set(offer, [...(branches.get(offer) ?? []), at]);
  }
  return [...branches].map(([offer, at]) => `      ${alternatives(at)}) ${offer} ;;`).join("\n");
}

function offerOf(value: ValueKind): string | null {
  if (value.is === "choices") return `_ralph_words ${quoted(value.words.join(" "))}`;
  return value.is === "text" ? null : `_ralph_${value.is}s`;
}

/** For the program itself, also those of the default command. */
function optionNames(shape: CommandShape, shapes: readonly CommandShape[]): string[] {
  const more = shape.path === "" ? shapes.filter(({ path }) => path === DEFAULT_COMMAND) : [];
  return [...new Set([shape, ...more].flatMap(({ options }) => options.flatMap(({ names }) => names)))];
}

const alternatives = (words: readonly string[]): string => words.map(quoted).join(" | ");
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

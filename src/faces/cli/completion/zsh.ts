import { DEFAULT_COMMAND, LISTED, OWN_OPTIONS } from "../program/well-known.ts";
import type { CommandShape, OptionShape, ValueKind } from "./shape.ts";

/** A script for zsh: a file in fpath, or to be sourced after compinit. */
export function zshCompletion(shapes: readonly CommandShape[]): string {
  return `#compdef ralph
# Completion of ralph in zsh, made by \`ralph completion zsh\`.
${shapes.map((shape) => functionOf(shape, shapes)).join("\n")}
${Object.entries(LISTED).map(offering).join("\n")}
if [[ $funcstack[1] == _ralph ]]; then _ralph "$@"; else compdef _ralph ralph; fi
`;
}

const offering = ([what, command]: [string, string]): string => `__ralph_${what}s() {
  local -a found
  found=(\${(f)"$($ralph ${command} 2>/dev/null)"})
  found=(\${found//:/\\\\:})
  found=(\${found/$'\\t'/:})
  _describe -V -t ${what}s ${what} found
}`;

function functionOf(shape: CommandShape, shapes: readonly CommandShape[]): string {
  const isProgram = shape.path === "";
  const standIn = isProgram ? (shapes.find(({ path }) => path === DEFAULT_COMMAND)?.options ?? []) : [];
  const specs = [...withoutRepeats([...shape.options, ...standIn]).map(optionSpec), ...argumentSpecs(shape)];
  const begin = isProgram ? BEGIN : [];
  return `${functionName(shape.path)}() {
${[...begin, `  _arguments -C -s -S ${specs.map((spec) => `\\\n    ${spec}`).join(" ")}`].join("\n")}${dispatch(shape)}
}`;
}

/** A leading option implies the default command. */
const BEGIN = [
  "  local ralph=$words[1] context state state_descr line",
  "  typeset -A opt_args",
  `  if (( CURRENT > 2 )) && [[ $words[2] == -* && $words[2] != (${OWN_OPTIONS.join("|")}) ]]; then`,
  `    ${functionName(DEFAULT_COMMAND)}`,
  "    return",
  "  fi",
];

function dispatch({ path, commands, arguments: values }: CommandShape): string {
  if (commands.length === 0) return "";
  const described = commands.map(({ name, about }) => quoted(`${name}:${about}`)).join(" ");
  const below = commands.map(({ name }) => `        ${name}) ${functionName(`${path} ${name}`)} ;;`).join("\n");
  // `ralph notes` takes a loop or a command.
  const others = values.map(
    (value) => `\n      _alternative ${quoted(`argument:${messageOf(value)}:${actionOf(value)}`)}`,
  );
  return ` && return
  case $state in
    command)
      local -a commands
      commands=(${described})
      _describe -t commands command commands${others.join("")}
      ;;
    argument)
      case $words[1] in
${below}
      esac
      ;;
  esac`;
}

const argumentSpecs = ({ commands, arguments: values }: CommandShape): string[] =>
  commands.length > 0
    ? ["'1:command:->command'", "'*::argument:->argument'"]
    : values.map((value, i) => quoted(`${i + 1}:${messageOf(value)}:${actionOf(value)}`));

/** An option with a value may be given again, as \`--verify\` may; \`=\` and \`+\` allow the value in the same word. */
function optionSpec({ names, about, value }: OptionShape): string {
  const explained = `[${about.replace(/[\\[\]]/g, "\\$&")}]`;
  const specs = names.map((name) => {
    const follows = value === null ? "" : name.startsWith("--") ? "=" : "+";
    const tail = value === null ? "" : `:${messageOf(value)}:${actionOf(value)}`;
    return quoted(`${value === null ? `(${names.join(" ")})` : "*"}${name}${follows}${explained}${tail}`);
  });
  return specs.join(" ");
}

const messageOf = (value: ValueKind): string => (value.is === "choices" ? "one of" : value.is);

function actionOf(value: ValueKind): string {
  if (value.is === "choices") return `(${value.words.join(" ")})`;
  if (value.is === "file") return "_files";
  if (value.is === "text") return " ";
  return value.is === "program" ? "_command_names" : `__ralph_${value.is}s`;
}

function withoutRepeats(options: readonly OptionShape[]): OptionShape[] {
  const seen = new Set<string>();
  return options.filter(({ names }) => {
    const isNew = !names.some((name) => seen.has(name));
    for (const name of names) seen.add(name);
    return isNew;
  });
}

function functionName(path: string): string {
  return ["_ralph", ...path.split(/[\s-]+/).filter(Boolean)].join("_");
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

import { DEFAULT_COMMAND, LISTED, OWN_OPTIONS } from "../program/well-known.ts";
import type { CommandShape, ValueKind } from "./shape.ts";

export function fishCompletion(shapes: readonly CommandShape[]): string {
  const steps = shapes.flatMap(({ path, commands }) => commands.map(({ name }) => quoted(`${path} ${name}`)));
  return `# Completion of ralph in fish, made by \`ralph completion fish\`.
function __ralph_at
    set -l at
    for word in (commandline -opc)[2..]
        # A leading option implies the default command.
        if test -z "$at"; and string match -q -- '-*' $word; and not contains -- $word ${OWN_OPTIONS.join(" ")}
            set at ${DEFAULT_COMMAND}
        end
        switch "$at $word"
            case ${steps.join(" ")}
                set at (string trim -- "$at $word")
        end
    end
    contains -- "$at" $argv
end
${Object.entries(LISTED).map(offering).join("\n")}
complete -c ralph -f
${shapes.flatMap(linesOf).join("\n")}
`;
}

const offering = ([what, command]: [string, string]): string => `function __ralph_${what}s
    set -l words (commandline -opc)
    command $words[1] ${command} 2>/dev/null
end`;

function linesOf({ path, commands, options, arguments: values }: CommandShape): string[] {
  const at = (...paths: string[]) => `complete -c ralph -n ${quoted(`__ralph_at ${paths.map(quoted).join(" ")}`)}`;
  const optionAt = path === DEFAULT_COMMAND ? at(path, "") : at(path);
  return [
    ...commands.map(({ name, about }) => `${at(path)} -a ${name} -d ${quoted(about)}`),
    ...values.flatMap((value) => (value.is === "text" ? [] : [`${at(path)} ${offerOf(value)}`])),
    ...options.map(({ names, about, value }) =>
      [optionAt, ...names.map(flagOf), ...(value ? ["-r", offerOf(value)] : []), `-d ${quoted(about)}`].join(" "),
    ),
  ];
}

const flagOf = (name: string): string => (name.startsWith("--") ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`);

function offerOf(value: ValueKind): string {
  if (value.is === "choices") return `-f -a ${quoted(value.words.join(" "))}`;
  if (value.is === "file") return "-F";
  if (value.is === "text") return "-f";
  return value.is === "program" ? "-f -a '(__fish_complete_command)'" : `-f -a '(__ralph_${value.is}s)'`;
}

const quoted = (text: string): string => `'${text.replace(/[\\']/g, "\\$&")}'`;

import { DEFAULT_COMMAND, LOOPS_COMMAND, OWN_OPTIONS, TASKS_COMMAND } from "../well-known.ts";
import type { CommandShape, Value } from "./shape.ts";

/** A script for fish. */
export function fishCompletion(shapes: readonly CommandShape[]): string {
  const steps = shapes.flatMap(({ path, commands }) => commands.map(({ name }) => quoted(`${path} ${name}`)));
  return `# Completion of ralph in fish, made by \`ralph completion fish\`.
function __ralph_at
    set -l at
    for word in (commandline -opc)[2..]
        # An option first stands for a whole command.
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
function __ralph_loops
    set -l words (commandline -opc)
    command $words[1] ${LOOPS_COMMAND} 2>/dev/null
end
function __ralph_tasks
    set -l words (commandline -opc)
    command $words[1] ${TASKS_COMMAND} 2>/dev/null
end
complete -c ralph -f
${shapes.flatMap(linesOf).join("\n")}
`;
}

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

function offerOf(value: Value): string {
  if (value.is === "choices") return `-f -a ${quoted(value.words.join(" "))}`;
  const offers = {
    loop: "-f -a '(__ralph_loops)'",
    task: "-f -a '(__ralph_tasks)'",
    file: "-F",
    program: "-f -a '(__fish_complete_command)'",
    text: "-f",
  };
  return offers[value.is];
}

const quoted = (text: string): string => `'${text.replace(/[\\']/g, "\\$&")}'`;

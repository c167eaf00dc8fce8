import { RalphError } from "../errors.ts";
import { isMap } from "../field.ts";
import { snakeCase } from "../schema/spelling.ts";
import type { Template } from "../schema/template.ts";
import type { Parameter, Parameters } from "./built-in-templates.ts";
import { FIELDS, PLACEHOLDER, placeholdersIn } from "./fields.ts";

const VARIABLE = /RALPH_PARAM_([A-Z][A-Z0-9_]*)(:?-)?/g;

/** The parameters of a template: variables in its commands, names in braces in its texts. */
export function parametersOf({ verification_config = {} }: Template): { required: string[]; optional: string[] } {
  const all: { name: string; optional: boolean }[] = [];
  walk(verification_config, (text, isCommand) => {
    if (isCommand) all.push(...variablesIn(text));
    else all.push(...parametersIn(text).map((name) => ({ name, optional: false })));
    return text;
  });
  const required = new Set(all.filter(({ optional }) => !optional).map(({ name }) => name));
  const optional = new Set(all.map(({ name }) => name).filter((name) => !required.has(name)));
  return { required: [...required], optional: [...optional] };
}

/** `${RALPH_PARAM_PORT:-80}` has a default, so it is optional. */
const variablesIn = (command: string) =>
  [...command.matchAll(VARIABLE)].map(([, name = "", otherwise]) => ({
    name: name.toLowerCase(),
    optional: otherwise !== undefined,
  }));

const parametersIn = (text: string): string[] =>
  placeholdersIn(text)
    .map(snakeCase)
    .filter((name) => !FIELDS.has(name));

/**
 * The configuration with its parameters filled in. A command is written by the template's author; parameters are data,
 * passed in its environment and never made part of it.
 */
export const filledIn = (config: Record<string, unknown>, parameters: Parameters): Record<string, unknown> =>
  fillMap(config, parameters);

function fill(value: unknown, parameters: Parameters): unknown {
  if (typeof value === "string") return fillText(value, parameters);
  if (Array.isArray(value)) return value.map((item) => fill(item, parameters));
  return isMap(value) ? fillMap(value, parameters) : value;
}

function fillMap(map: Record<string, unknown>, parameters: Parameters): Record<string, unknown> {
  const filled = Object.fromEntries(
    Object.entries(map).map(([key, value]) => [key, key === "command" ? value : fill(value, parameters)]),
  );
  if (typeof map.command !== "string") return filled;
  const env = variablesOf(map.command, parameters);
  return Object.keys(env).length > 0
    ? { ...filled, env: { ...env, ...(isMap(filled.env) ? filled.env : {}) } }
    : filled;
}

/** The variables that a command names, with their values; a list has one value per line. */
function variablesOf(command: string, parameters: Parameters): Record<string, string> {
  const [braced] = placeholdersIn(command).filter((name) => /^\w+$/.test(name));
  if (braced !== undefined) {
    throw new RalphError("unsafe-command", `a command cannot contain {{${braced}}}: ${command}`, {
      hint: `a parameter is in the command's environment: "$RALPH_PARAM_${snakeCase(braced).toUpperCase()}"`,
    });
  }
  return Object.fromEntries(
    variablesIn(command).flatMap(({ name }) => {
      const value = parameters[name];
      return value === undefined ? [] : [[`RALPH_PARAM_${name.toUpperCase()}`, [value].flat().join("\n")]];
    }),
  );
}

/** A text that consists of a single parameter becomes its value, of any type. */
function fillText(text: string, parameters: Parameters): Parameter {
  const [whole] = /^\{\{\s*[\w.]+\s*\}\}$/.test(text) ? parametersIn(text) : [];
  if (whole !== undefined) return parameters[whole] ?? text;
  return text.replace(PLACEHOLDER, (braces, name: string) => {
    const value = FIELDS.has(snakeCase(name)) ? undefined : parameters[snakeCase(name)];
    return value === undefined ? braces : [value].flat().join(", ");
  });
}

function walk(value: unknown, see: (text: string, isCommand: boolean) => void, key = ""): void {
  if (typeof value === "string") see(value, key === "command");
  else if (Array.isArray(value)) for (const item of value) walk(item, see);
  else if (isMap(value)) for (const [name, inner] of Object.entries(value)) walk(inner, see, name);
}

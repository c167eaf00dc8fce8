import type { AgentEvent } from "../../core/agent.ts";
import { shorten } from "../../core/excerpt.ts";
import { asFields, asList, asText, type JsonFields } from "./json.ts";

const DETAIL_CHARS = 200;
const MOST_OUTPUT_CHARS = 20_000;
const MOST_CALLS = 200;

/** A tool that was allowed and did not succeed. `output`: what it returned; the first line that names an error is kept. */
export const failedTool = (name: string, output: string, exitCode: number | string | null = null): AgentEvent => ({
  type: "tool.failed",
  name,
  detail: shorten([exitWords(exitCode), errorLine(output)].filter(Boolean).join(": "), DETAIL_CHARS),
});

/** A command that was ended by a signal has its name instead of a code. */
const exitWords = (exit: number | string | null): string =>
  exit === null ? "" : typeof exit === "number" ? `exit code ${exit}` : exit;

const ERROR =
  /\b(?:error|fail(?:ed|ure|s)?|exception|panic(?:ked)?|fatal|cannot|can't|could not|not found|no such|denied)\b|✗|✖|×/i;

function errorLine(output: string): string {
  const lines = output
    .slice(0, MOST_OUTPUT_CHARS)
    .replace(/<\/?(?:tool_use_error|error|output|stderr|stdout)>/g, "")
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  return lines.find((line) => ERROR.test(line)) ?? lines[0] ?? "";
}

/** `Exit code 1` above the output, as Claude Code writes it, or `Exit Code: 1` among its facts, as Qwen Code does. */
const EXIT_CODE = /^Exit code:? ([1-9]\d{0,2})$/im;
const SHELL_OF_QWEN = "run_shell_command";
/** The facts that Qwen Code writes around a command's output. */
const FACTS =
  /^(?:Command|Directory|Signal|Process Group PGID|Background PIDs): .*\n?|^(?:Output|Error|Stdout|Stderr): (?:\((?:empty|none)\)\n?)?/gm;

/** Finds failed tools in the lines of Claude Code's format: results are in lines of the user, with the id of their call. */
export function failedTools(): (line: JsonFields) => AgentEvent[] {
  const names = new Map<string, string>();
  const denied = new Set<string>();

  function remember(id: string, name: string): void {
    names.set(id, name);
    const [oldest] = names.keys();
    if (names.size > MOST_CALLS && oldest !== undefined) names.delete(oldest);
  }
  function failure(result: JsonFields): AgentEvent[] {
    const id = asText(result.tool_use_id);
    const name = names.get(id) ?? "";
    const output = contentOf(result.content);
    const [whole, code] = EXIT_CODE.exec(output) ?? [];
    const hasFailed = result.is_error === true || (name === SHELL_OF_QWEN && code !== undefined);
    if (result.type !== "tool_result" || denied.has(id) || !hasFailed) return [];
    const rest = whole === undefined ? output : output.replace(whole, "");
    const said = name === SHELL_OF_QWEN ? rest.replace(FACTS, "") : rest;
    return [failedTool(name || "tool", said, code === undefined ? null : Number(code))];
  }
  return ({ type, subtype, message, tool_use_id: id }) => {
    const blocks = () => asList(asFields(message).content).map(asFields);
    if (type === "assistant") {
      for (const block of blocks()) if (block.type === "tool_use") remember(asText(block.id), asText(block.name));
    }
    if (subtype === "permission_denied") denied.add(asText(id));
    return type === "user" ? blocks().flatMap(failure) : [];
  };
}

const contentOf = (content: unknown): string =>
  typeof content === "string"
    ? content
    : asList(content)
        .map((block) => asText(asFields(block).text))
        .join("\n");

/** In a line that is otherwise skipped, the bytes that show that a tool may have failed. */
export const FAILURE_MARKS = ['"is_error":true', '"is_error": true'] as const;

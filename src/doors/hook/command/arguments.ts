import { flagCompletion } from "../../../core/proof/from-settings.ts";
import type { Settings } from "../../../core/schema/settings.ts";
import { type LimitFlags, type Options, RALPH_OPTIONS, shown } from "./ralph-options.ts";
import { readTyped } from "./typed-options.ts";

export type RalphRequest =
  | { do: "help" }
  | {
      do: "start";
      prompt: string;
      description: string | null;
      /** Null: not given. */
      context: "continue" | "reset" | null;
      flags: Settings;
    }
  | { do: "resume"; loop: string; flags: LimitFlags };

type ParsedArguments = { request: RalphRequest } | { complaint: string };

const EXAMPLE = '/ralph "Fix the failing tests" --verify "npm test" --max-iterations 20';

/** Parses the text after `/ralph`. Never throws. */
export function parseRalphArguments(typed: string): ParsedArguments {
  const found = readTyped(typed);
  if ("complaint" in found) return { complaint: helpful(found.complaint) };
  const { options, prompt } = found;
  if (options.help) return { request: { do: "help" } };
  const request = options.resume === undefined ? toStart(options, prompt) : toResume(options, options.resume, prompt);
  return typeof request === "string" ? { complaint: helpful(request) } : { request };
}

export function ralphHelp(): string {
  const rows = RALPH_OPTIONS.map(
    ({ names, value, says }) => `  ${[names[0], value].join(" ").trim().padEnd(28)}  ${says}`,
  );
  return [
    'Usage: /ralph "task" [options]',
    "",
    "Continues in this session until the promise is given and every check passes.",
    "",
    ...rows,
    "",
    "Examples:",
    `  ${EXAMPLE}`,
    "  /ralph --resume last --max-iterations 50",
    "",
    "/ralph-status shows its progress, /cancel-ralph stops it.",
  ].join("\n");
}

const helpful = (complaint: string): string =>
  `${complaint}\nNothing was started. An example: ${EXAMPLE}\n/ralph --help lists the options.`;

function toStart(options: Options, prompt: string): RalphRequest | string {
  const { limits, verify, completionPromise, description = null, context = null } = options;
  if (prompt.trim() === "") return "The prompt is missing.";
  const flags: Settings = {
    ...limits,
    ...(verify.length > 0 ? { verify } : {}),
    ...flagCompletion(options),
    ...(completionPromise === undefined ? {} : { completionResponse: completionPromise }),
  };
  return { do: "start", prompt, description, context, flags };
}

function toResume(options: Options, loop: string, prompt: string): RalphRequest | string {
  const { limits, verify, scope, missingOk, completionPromise, description, context } = options;
  const kept = [
    prompt.trim() === "" ? null : `the prompt (“${shown(prompt)}”)`,
    verify.length > 0 ? "--verify" : null,
    scope.length > 0 ? "--scope" : null,
    missingOk ? "--missing-ok" : null,
    completionPromise === undefined ? null : "--completion-promise",
    description === undefined ? null : "--description",
    context === undefined ? null : "--context",
  ].filter((name) => name !== null);
  if (kept.length > 0) return `A resumed loop keeps its settings: ${kept.join(", ")} cannot be changed.`;
  return { do: "resume", loop, flags: limits };
}

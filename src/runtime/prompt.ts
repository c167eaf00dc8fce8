import { readFileSync, statSync } from "node:fs";
import { isAbsolute, join, relative } from "node:path";
import { readerOf } from "../adapters/agents/agent.ts";
import { saidIn } from "../adapters/agents/output.ts";
import type { Blobs } from "../core/blobs.ts";
import { codeOf, messageOf, RalphError } from "../core/errors.ts";
import type { LoopSpec } from "../core/loop/spec.ts";
import type { LoopState } from "../core/loop/state.ts";
import { iterationValues } from "../core/workflow/environment.ts";
import { expandVariables, PREVIOUS_OUTPUT } from "../core/workflow/variables.ts";

const HINT = 'ralph run "what to do", or ralph run --prompt-file task.md';

interface PromptRequest {
  cwd: string;
  prompt?: string;
  promptFile?: string;
}

/**
 * The source of a loop's prompt. A file is read in every iteration; a pipe can be read only once, so it is read here.
 */
export function promptSource({ cwd, prompt, promptFile }: PromptRequest): LoopSpec["prompt"] {
  if (prompt !== undefined && promptFile !== undefined) {
    throw new RalphError("prompt-twice", "use --prompt or --prompt-file, not both", { hint: HINT });
  }
  if (prompt !== undefined) return { text: prompt };
  if (promptFile === undefined) throw new RalphError("prompt-missing", "no prompt was given", { hint: HINT });
  const path = isAbsolute(promptFile) ? promptFile : join(cwd, promptFile);
  const file = statSync(path, { throwIfNoEntry: false });
  if (file?.isDirectory()) {
    throw new RalphError("prompt-unreadable", `the prompt file ${promptFile} is a folder`, {
      hint: "specify a file in it",
    });
  }
  return file && !file.isFile() ? { text: readFileSync(path, "utf8") } : { file: relative(cwd, path) };
}

/** The current prompt. The file may be edited while the loop runs; an invalid prompt stops the loop. */
export function readPrompt(
  { prompt, cwd }: Pick<LoopSpec, "prompt" | "cwd">,
  values: Readonly<Record<string, string>> = {},
): string {
  const text = textOf(prompt, cwd, values);
  const what = "file" in prompt ? `the prompt file ${prompt.file}` : "the prompt";
  if (text.trim() === "") throw new RalphError("prompt-empty", `${what} is empty`, { hint: HINT });
  if (text.includes("\0")) {
    throw new RalphError("prompt-binary", `${what} contains NUL bytes, so it is not text`, {
      hint: "a prompt is plain text or Markdown, in UTF-8",
    });
  }
  return text;
}

/** `values`: the values of a template that the current turn adds. */
function textOf(prompt: LoopSpec["prompt"], cwd: string, values: Readonly<Record<string, string>>): string {
  if ("template" in prompt) return expandVariables(prompt.template, { ...prompt.values, ...values });
  return "text" in prompt ? prompt.text : readFile(prompt.file, cwd);
}

function readFile(file: string, cwd: string): string {
  try {
    return readFileSync(join(cwd, file), "utf8");
  } catch (error) {
    const why = messageOf(error);
    const isGone = codeOf(error) === "ENOENT";
    const what = isGone ? `there is no prompt file ${file}` : `cannot read the prompt file ${file}: ${why}`;
    throw new RalphError("prompt-unreadable", what, {
      hint: `put it back, or check the path given with --prompt-file (relative to ${cwd})`,
      cause: error,
    });
  }
}

/** The template values that change with every turn; none without a template. `blobs` is null before any turn. */
export async function turnValues(
  blobs: Blobs | null,
  spec: LoopSpec,
  state: LoopState,
): Promise<Record<string, string>> {
  if (!("template" in spec.prompt)) return {};
  const isAsked = spec.prompt.template.includes(PREVIOUS_OUTPUT);
  return {
    ...iterationValues(spec.limits, state.n),
    [PREVIOUS_OUTPUT]: isAsked ? await previousWords(blobs, spec, state) : "",
  };
}

/** What the agent said in the previous iteration, read from its log, so that a resumed loop knows it too. */
async function previousWords(blobs: Blobs | null, spec: LoopSpec, { previous, turn }: LoopState): Promise<string> {
  if (!previous || !blobs) return "";
  const { agent, ...log } = previous;
  const isBefore = turn?.log?.path === log.path;
  const to = isBefore && turn?.log ? { to: turn.log.from } : {};
  const said = await saidIn(blobs, { ...log, ...to }, await readerOf(spec, agent, log));
  return typeof said === "string" ? said : `(not known: the log of the iteration before cannot be read, ${said.gone})`;
}

import { printable, printableText } from "../../../core/ansi.ts";
import type { FaultyFile } from "../../../core/workflow/fault.ts";
import type { BashPart, LoopPart, Part, StepPart, Workflow } from "../../../core/workflow/workflow.ts";

/** The faults of a file in the format of compilers, each with a hint. */
export const faultLines = ({ file, faults }: FaultyFile): string[] =>
  faults.flatMap(({ line, column, text, hint }) => [
    `${printable(file)}:${line}:${column}: ${printable(text)}`,
    `  hint: ${printable(hint)}`,
  ]);

export function workflowLines(workflow: Workflow): string[] {
  const { name, file, form, description, triggers, provider, model, parts } = workflow;
  return [
    `${printable(name)}   ${form}, ${printable(file)}`,
    ...indented(description),
    ...fact("triggers", triggers.map((phrase) => JSON.stringify(phrase)).join(", ")),
    ...fact("agent", [provider, model].filter((word) => word !== null).join(", ")),
    ...parts.flatMap((part, i) => ["", ...partLines(part, `${i + 1}/${parts.length}`)]),
  ];
}

const fact = (name: string, value: string): string[] => (value === "" ? [] : [`  ${name}: ${printable(value)}`]);
const indented = (text: string, by = "  "): string[] =>
  printableText(text)
    .split("\n")
    .map((line) => `${by}${line}`.trimEnd());

function partLines(part: Part, number: string): string[] {
  const heading = `${number} ${printable(part.name)}: ${KIND_WORDS[part.kind]}`;
  switch (part.kind) {
    case "bash":
      return [heading, ...timeLines(part.timeoutS, "may take"), ...retryLines(part), ...indented(part.command, "    ")];
    case "loop":
      return [heading, ...loopLines(part)];
    case "step":
      return [`${heading}${part.fresh ? ", in a new session" : ""}`, ...stepLines(part)];
    case "parallel":
      return [heading, ...part.steps.flatMap((step) => [`  ${printable(step.name)}`, ...deeper(stepLines(step))])];
  }
}

const deeper = (lines: readonly string[]): string[] => lines.map((line) => `  ${line}`);

const KIND_WORDS = {
  step: "one turn",
  bash: "a command",
  loop: "a loop",
  parallel: "steps that run in parallel, each in a new session",
} as const;

const stepLines = (step: StepPart): string[] => [...agentLines(step), ...retryLines(step), ...promptLines(step)];

const retryLines = ({ retry }: StepPart | BashPart): string[] =>
  retry.attempts > 0 ? [`  retry: ${retry.attempts} more, ${retry.delayMs} ms after a failure`] : [];

function promptLines({ prompt }: StepPart | LoopPart): string[] {
  return [
    `  prompt${prompt.command === null ? "" : ` (command ${printable(prompt.command)})`}:`,
    ...indented(prompt.text, "    "),
  ];
}

function agentLines({ provider, model, tools, idleTimeoutS }: StepPart | LoopPart): string[] {
  const { allowed, denied } = tools;
  return [
    ...fact("agent", [provider, model].filter((word) => word !== null).join(", ")),
    ...(allowed === null ? [] : [`  tools: ${allowed.map(printable).join(", ") || "none"}`]),
    ...fact("tools that are denied", denied.join(", ")),
    ...timeLines(idleTimeoutS, "may be silent for"),
  ];
}

const timeLines = (seconds: number | null, what: string): string[] =>
  seconds === null ? [] : [`  ${what} ${seconds} s`];

function loopLines(loop: LoopPart): string[] {
  const { until, untilBash, maxIterations, freshContext, verify, guardrails } = loop;
  return [
    ...(until === null ? [] : [`  until: <promise>${printable(until)}</promise>`]),
    ...fact("until this exits 0", untilBash ?? ""),
    `  at most ${maxIterations} iteration${maxIterations === 1 ? "" : "s"}, ${freshContext ? "each in a new session" : "in one session"}`,
    ...timeLines(loop.iterationTimeoutS, "an iteration may take"),
    ...(loop.maxCostUsd === null ? [] : [`  at most $${loop.maxCostUsd}`]),
    ...verifyLines(verify),
    ...guardrails.map(({ command }) => `  guardrail: ${printable(command)}`),
    ...agentLines(loop),
    ...promptLines(loop),
  ];
}

function verifyLines(verify: LoopPart["verify"]): string[] {
  if (verify === null) return ["  verified by: what the settings say"];
  if (!("length" in verify)) return [`  verified by: ${printable(JSON.stringify(verify))}`];
  return verify.length > 0
    ? verify.map((command) => `  verified by: ${printable(command)}`)
    : ["  verified by: nothing but the signal"];
}

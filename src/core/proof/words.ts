import { timeWords } from "../duration.ts";
import type { JudgeSpec, Leaf } from "./proof.ts";

/** What a stage does, on one line for people. */
export function leafWords(leaf: Leaf): string {
  const facts = [...factsOf(leaf), ...(leaf.required ? [] : ["only warns"]), ...(leaf.parallel ? ["parallel"] : [])];
  return `${subjectOf(leaf)}${facts.length > 0 ? `  (${facts.join(", ")})` : ""}`;
}

function subjectOf(leaf: Leaf): string {
  switch (leaf.method) {
    case "external":
      return leaf.command;
    case "semantic":
      return `semantic: ${leaf.checkFor.join("; ") || `none of ${leaf.negativePatterns.join(", ")}`}`;
    case "plugin":
      return `plugin ${leaf.plugin}`;
    case "string_match":
      return "string_match: the promise alone";
  }
}

function factsOf(leaf: Leaf): string[] {
  if (leaf.method === "string_match") return [];
  const most = `at most ${timeWords(leaf.timeoutMs)}`;
  if (leaf.method === "plugin") return [most];
  if (leaf.method === "semantic") return [`judged by ${judgeWords(leaf.judge)}`, most];
  return [
    ...(leaf.criterion === null ? [] : [`proves: ${leaf.criterion}`]),
    ...(leaf.successExitCode === 0 ? [] : [`exit code ${leaf.successExitCode}`]),
    ...leaf.outputContains.map((text) => `output has ${JSON.stringify(text)}`),
    ...leaf.outputNotContains.map((text) => `output has no ${JSON.stringify(text)}`),
    ...(leaf.workingDir === "." ? [] : [`in ${leaf.workingDir}`]),
    most,
  ];
}

/** Who judges, for people. */
export function judgeWords(judge: JudgeSpec): string {
  const who = judge.by === "http" ? judge.dialect : (judge.agent?.command ?? "the loop's agent");
  return judge.model === null ? who : `${who} (${judge.model})`;
}

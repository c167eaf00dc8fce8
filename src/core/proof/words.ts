import { timeWords } from "../duration.ts";
import type { JudgeSpec, Leaf, Proof } from "./proof.ts";

/** What a stage does, on one line for people. */
export function leafWords(leaf: Leaf): string {
  const facts = [
    ...factsOf(leaf),
    ...(leaf.required ? [] : ["only warns"]),
    ...(leaf.parallel ? ["parallel"] : []),
    ...(leaf.requireRedFirst ? ["has to fail before any work"] : []),
  ];
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

/** How checks are run and claims looked at, where that is not as usual, a line each. */
export function conditionWords({ stages, cleanRoom, ...proof }: Proof): string[] {
  const setUp = cleanRoom?.setup ? `, after ${cleanRoom.setup}` : "";
  return [
    ...(cleanRoom ? [`clean room: commands and plugins see nothing but the commit${setUp}`] : []),
    ...(proof.baseline || stages.length === 0 ? [] : ["no baseline: nothing is run before any work"]),
    ...(proof.requireRedFirst ? ["refused where all checks pass before any work"] : []),
    ...(proof.missingOk ? ["what a check's command names may be absent before the work"] : []),
    ...(proof.nonce ? ["nonce: a fresh token in the promise of every iteration"] : []),
    ...(proof.zeroWorkGuard ? [] : ["a claim without a tool call or a change is accepted"]),
    ...(proof.testsMayChange ? ["tests may change"] : []),
  ];
}

/** Who judges, for people. */
export function judgeWords(judge: JudgeSpec): string {
  const who = judge.by === "http" ? judge.dialect : (judge.agent?.command ?? "the loop's agent");
  return judge.model === null ? who : `${who} (${judge.model})`;
}

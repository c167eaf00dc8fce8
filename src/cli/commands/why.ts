import { printable } from "../../core/ansi.ts";
import { EXIT } from "../../core/errors.ts";
import type { CheckResult } from "../../core/loop/events.ts";
import { shownSpec } from "../../core/loop/notes.ts";
import type { LoopSpec } from "../../core/loop/spec.ts";
import { agentLabel, reasonWords } from "../../core/loop/words.ts";
import { type AttemptStory, tell as tellStory } from "../../core/story.ts";
import { totalTokens, type Usage } from "../../core/usage.ts";
import { openWorkspace, type Workspace } from "../../wire/workspace.ts";
import { paint } from "../paint.ts";
import { print, printJson, printLine } from "../print.ts";
import { activityOf } from "../words.ts";

/** `ralph why`. */
export async function whyCommand(wanted: string, { json = false }: { json?: boolean }): Promise<number> {
  const workspace = await openWorkspace(process.cwd());
  try {
    if (json) await writeJson(workspace, wanted);
    else await writeText(workspace, wanted);
    return EXIT.verified;
  } finally {
    workspace.store.close();
  }
}

async function writeJson({ store }: Workspace, wanted: string): Promise<void> {
  const loop = await store.find(wanted);
  const { state } = await store.load(loop.id);
  const iterations: AttemptStory[] = [];
  for await (const attempt of tellStory(store.entries(loop.id))) iterations.push(attempt);
  printJson({ ...loop, spec: state.spec && shownSpec(state.spec), fingerprints: state.fingerprints, iterations });
}

async function writeText({ store }: Workspace, wanted: string): Promise<void> {
  const loop = await store.find(wanted);
  const { spec } = (await store.load(loop.id)).state;
  printLine(`${paint("bold", `loop ${loop.id}`)}  ${printable(loop.title)}`);
  for await (const attempt of tellStory(store.entries(loop.id)))
    await print(`\n${linesOf(attempt, spec).join("\n")}\n`);
  const end = loop.reason
    ? `stopped: ${loop.reason}${loop.detail ? `, ${printable(loop.detail)}` : ""}`
    : activityOf(loop);
  const next = loop.reason ? reasonWords(loop.reason, loop.id).next : "";
  printLine(`\n${paint("bold", end)}${next ? `\n${paint("dim", `next: ${next}`)}` : ""}`);
}

function linesOf(story: AttemptStory, spec: LoopSpec | null): string[] {
  const again = story.attempt > 1 ? `, attempt ${story.attempt}` : "";
  const who = spec && spec.agents.length > 1 ? ` (${agentLabel(spec.agents, story.agent)})` : "";
  return [
    paint("bold", `iteration ${story.n}${again}${who}`),
    ...turnLines(story),
    ...(story.log ? [`  log       ${story.log.path}, from byte ${story.log.from}`] : []),
    ...story.guards.map((guard) => checkLine("guardrail", guard)),
    ...story.effects.map((effect) => `  effect    ${effect.kind} ${told(effect.is, effect.detail)}`),
    ...story.verdicts.flatMap((verdict) => [
      ...verdict.checks.map((check) => checkLine("check", check)),
      ...(verdict.tampered ?? []).map(({ path, change }) => `  tampered  ${printable(path)}: ${printable(change)}`),
      `  verdict   ${verdict.is}${verdict.label ? ` [${verdict.label}]` : ""}: ${printable(verdict.reason)}`,
    ]),
    `  decision  ${printable(story.decision)}`,
  ];
}

const SOURCES = {
  stream: "the assistant's text in its stream",
  text: "the agent's output",
  host: "the assistant's message in its host",
};

function turnLines({ ended, voided }: AttemptStory): string[] {
  if (voided) return [`  void      ${told(voided.why, voided.detail)}`];
  if (!ended) return ["  agent     still at work, or its driver was killed"];
  const { claim, failed, blocked, doubts, source, usage } = ended;
  return [
    ...(totalTokens(usage) > 0 ? [`  spent     ${spentWords(usage)}`] : []),
    claim
      ? `  claim     ${printable(claim.quote)} (${SOURCES[source]}, characters ${claim.start}–${claim.end})`
      : "  claim     none",
    ...doubts.map(
      (doubt) => `  ${doubt.is === "guarded" ? "guarded  " : "against  "} ${doubt.rule}: “${printable(doubt.quote)}”`,
    ),
    ...(failed ? [`  failed    ${failed.kind}: ${printable(failed.detail)}`] : []),
    ...(blocked ? [`  blocked   ${printable(blocked)}`] : []),
  ];
}

const told = (what: string, detail: string): string => [what, printable(detail)].filter(Boolean).join(": ");

/** Tokens, and dollars where the agent tells them or the settings have a price. */
const spentWords = (usage: Usage): string =>
  `${totalTokens(usage)} tokens${usage.costUsd > 0 ? `, $${usage.costUsd.toFixed(4)}` : ""}`;

const checkLine = (kind: string, { is, command, reason, log }: CheckResult): string =>
  `  ${kind.padEnd(9)} ${is}: ${printable(command)} (${printable(reason)})${is === "pass" || !log ? "" : ` → ${log}`}`;

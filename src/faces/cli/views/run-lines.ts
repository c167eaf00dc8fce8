import { printable } from "../../../core/ansi.ts";
import { counted, shorten } from "../../../core/excerpt.ts";
import { readableText } from "../../../core/render.ts";
import { dollars, totalTokens } from "../../../core/usage.ts";
import type { RunStarted } from "../../../core/workflow/events.ts";
import { phaseOf, type RunState } from "../../../core/workflow/state.ts";
import { paint } from "../../terminal/paint.ts";
import { markOf } from "./end-lines.ts";

/** The lines for a run that starts or is resumed. */
export function beginLines(id: string, { workflow, agent }: RunStarted, part: number): string[] {
  const { name, parts } = workflow;
  const way = parts.length > 1 ? [shorten(parts.map((one) => printable(one.name)).join(" → "), WAY_CHARS)] : [];
  const at = part > 0 ? [`resumes at ${printable(parts[part]?.name ?? "its end")}`] : [];
  const who = agent ? [`agent ${agent.command}`] : [];
  return [
    `${paint("bold", "ralph workflow")} run ${paint("cyan", id)}  ${printable(name)}`,
    ...[[...way, ...who, ...at].join(" · ")].filter(Boolean).map((line) => paint("dim", `  ${line}`)),
  ];
}

const WAY_CHARS = 200;

/** A message of a run: with bold words on a terminal, otherwise as in a chat. */
export const runMessageText = (text: string, rich: boolean): string => {
  const plain = readableText().pass(text);
  return rich ? plain.replace(/\*\*(.+?)\*\*/g, (_all, words: string) => paint("bold", words)) : plain;
};

/** How a run ended: why, its cost, what to do next. */
export function runEndLines(id: string, state: RunState, passing: boolean): string[] {
  const { status, detail, spent, started, dropped } = state;
  const name = printable(started?.workflow.name ?? "");
  const facts = [
    ...(spent.costUsd > 0 ? [dollars(spent.costUsd)] : []),
    ...(totalTokens(spent) > 0 ? [`${totalTokens(spent)} tokens`] : []),
  ];
  const mark = status === "completed" ? completedMark(state.proof) : paint("yellow", `■ ${status}`);
  const why = detail ? `, ${printable(firstLine(detail))}` : "";
  return [
    `${mark}: ${name}${why}${facts.length > 0 ? paint("dim", ` (${facts.join(", ")})`) : ""}`,
    ...(phaseOf(status) === "paused" && !passing ? [paint("dim", `  next: ralph workflow resume ${id}`)] : []),
    ...(dropped > 0 ? [paint("yellow", `  ${counted(dropped, "message")} could not be delivered`)] : []),
    ...(passing ? [] : [paint("dim", `  look: ralph why ${id} · ralph logs ${id}`)]),
  ];
}

/** A run is completed at the level of its weakest loop. */
const completedMark = (proof: RunState["proof"]): string =>
  proof ? markOf(proof, `completed, ${proof}`) : paint("green", "✓ completed");

const firstLine = (text: string): string => text.trim().split("\n")[0] ?? "";

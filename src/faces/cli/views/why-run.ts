import { printable } from "../../../core/ansi.ts";
import { counted } from "../../../core/excerpt.ts";
import type { LoopSummary } from "../../../core/loop/store.ts";
import { LEVEL_WORDS, type Level } from "../../../core/proof/level.ts";
import { proofOf } from "../../../core/proof/shown.ts";
import { dollars } from "../../../core/usage.ts";
import type { PartEnded } from "../../../core/workflow/events.ts";
import { hasEnded } from "../../../core/workflow/state.ts";
import type { RunSummary } from "../../../core/workflow/store.ts";
import { lanesOf, type Part } from "../../../core/workflow/workflow.ts";
import type { Workspace } from "../../../core/workspace.ts";
import { type DrivenRun, loopsOfRun, withHolder, withRunHolder } from "../../../engine/named.ts";
import { journalOf } from "../../../runtime/readable-journal.ts";
import { explainLoop, loopStory } from "../../../runtime/why-loop.ts";
import { paint } from "../../terminal/paint.ts";
import type { Cli } from "../context.ts";
import { markOf } from "./end-lines.ts";
import { isResumable, runPlaceWords, runStatusWords } from "./runs.ts";
import { headLines } from "./why-head.ts";
import { writeLoop } from "./why-loop.ts";

/** Prints why a run ended or continues: its parts in order, each with the history of its loop. */
export async function printRun(cli: Cli, workspace: Workspace, found: RunSummary, json: boolean): Promise<void> {
  const run = await withRunHolder(workspace, found);
  const loops = await loopsOfRun(workspace, run.id);
  if (!json) return await write(cli, workspace, run, loops);
  const parts: PartEnded[] = [];
  for await (const { event } of workspace.runs.entries(run.id)) if (event.type === "part.ended") parts.push(event);
  const histories: object[] = [];
  for (const loop of loops) histories.push(await explainLoop(workspace, loop));
  cli.printJson({ ...run, parts, loops: histories });
}

async function write(cli: Cli, workspace: Workspace, run: DrivenRun, loops: readonly LoopSummary[]): Promise<void> {
  const [current] = loops.filter(({ reason }) => reason === null);
  const head = {
    ended: runEnded(run),
    decided: current ? await openPart(workspace, current) : runDecided(run),
    isOpen: !hasEnded(run.status),
    next: runNext(run),
  };
  for (const line of headLines(head)) cli.printWords(line);
  if (run.message) cli.printWords(`\n  message   ${printable(run.message)}`);
  const { started } = (await workspace.runs.load(run.id)).state;
  const parts = started?.workflow.parts ?? [];
  const began = new Map<string, string | null>();
  for await (const { event } of workspace.runs.entries(run.id)) {
    if (event.type === "part.began") {
      cli.printLine(`\n${paint("bold", `── ${nameOf(parts, event)} ──`)}`);
      began.set(keyOf(event), event.loop);
      // The loop may not exist yet: its id is journalled before.
      const loop = loops.find(({ id }) => id === event.loop);
      if (loop) await writeLoop(cli, workspace, loop);
    }
    if (event.type === "part.ended") {
      const loop = loops.find(({ id }) => id === began.get(keyOf(event)));
      cli.printWords(endLine(parts, event, proofOf(loop?.reason)));
    }
    if (event.type === "run.paused") cli.printWords(paint("yellow", `\nleft: ${printable(event.why)}`));
  }
}

function runEnded(run: DrivenRun): string {
  const { id, workflow, status, proof, costUsd } = run;
  const facts = [`run ${id}`, runPlaceWords(run), ...(costUsd > 0 ? [dollars(costUsd)] : [])].join(", ");
  const done = proof ? markOf(proof, `completed, ${proof}`) : paint("green", "✓ completed");
  const mark = status === "completed" ? done : run.held ? paint("bold", "… running") : `■ ${runStatusWords(run)}`;
  return `${hasEnded(status) && status !== "completed" ? paint("red", mark) : mark}: ${printable(workflow)} ${paint("dim", `(${facts})`)}`;
}

/** What the loop that runs now needs. */
async function openPart(workspace: Workspace, loop: LoopSummary): Promise<string> {
  const story = await loopStory(workspace, await withHolder(workspace, loop), await journalOf(workspace, loop.id));
  return `${loop.run?.part ?? ""}: ${story.decided}`;
}

function runDecided({ status, detail, proof, steps }: DrivenRun): string {
  if (status !== "completed") return detail || status;
  return [`all of ${counted(steps, "step")} done`, proof && `weakest proof: ${LEVEL_WORDS[proof].means}`, detail]
    .filter(Boolean)
    .join("; ");
}

function runNext(run: DrivenRun): string {
  const { id, workflow, status, proof, held } = run;
  if (isResumable(run)) return `ralph workflow resume ${id}`;
  if (held || !hasEnded(status)) return `ralph logs -f ${id} · ralph cancel ${id}`;
  if (status === "completed") return proof ? `ralph receipt show ${id}` : `ralph logs ${id}`;
  return `ralph logs ${id}, then ralph workflow run ${printable(workflow)}`;
}

type Place = Pick<PartEnded, "part" | "lane" | "attempt">;

function nameOf(parts: readonly Part[], { part, lane, attempt }: Place): string {
  const at = parts[part];
  const name = at && lanesOf(at)[lane]?.name;
  return `${part + 1}/${parts.length} ${printable(name ?? "")}${attempt > 1 ? `, attempt ${attempt}` : ""}`;
}

const keyOf = ({ part, lane, attempt }: Place): string => `${part}/${lane}/${attempt}`;

/** A completed loop shows its proof level; steps and commands claim nothing. */
function endLine(parts: readonly Part[], ended: PartEnded, proof: Level | null): string {
  const done = proof ? markOf(proof, `done, ${proof}`) : paint("green", "✓ done");
  const mark = ended.is === "done" ? done : paint("red", "✗ failed");
  return `${mark}: ${nameOf(parts, ended)}${ended.detail ? `, ${printable(ended.detail)}` : ""}`;
}

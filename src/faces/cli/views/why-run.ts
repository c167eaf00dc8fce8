import { type DrivenRun, loopsOfRun, withRunHolder } from "../../../adapters/store/named.ts";
import type { Workspace } from "../../../adapters/store/workspace.ts";
import { printable } from "../../../core/ansi.ts";
import type { LoopSummary } from "../../../core/loop/store.ts";
import type { Level } from "../../../core/proof/level.ts";
import { proofOf } from "../../../core/proof/shown.ts";
import type { PartEnded } from "../../../core/workflow/events.ts";
import type { RunSummary } from "../../../core/workflow/store.ts";
import { lanesOf, type Part } from "../../../core/workflow/workflow.ts";
import type { Cli } from "../context.ts";
import { paint } from "../output/paint.ts";
import { markOf } from "./end-lines.ts";
import { isLeft, runStatusWords } from "./runs.ts";

export interface LoopExplainer {
  document(workspace: Workspace, loop: LoopSummary): Promise<object>;
  write(workspace: Workspace, loop: LoopSummary): Promise<unknown>;
}

/** Prints why a run ended or continues: its parts in order, each with the history of its loop. */
export async function printRun(
  cli: Cli,
  workspace: Workspace,
  found: RunSummary,
  json: boolean,
  explain: LoopExplainer,
) {
  const run = await withRunHolder(workspace, found);
  const loops = await loopsOfRun(workspace, run.id);
  if (!json) return await write(cli, workspace, run, loops, explain);
  const parts: PartEnded[] = [];
  for await (const { event } of workspace.runs.entries(run.id)) if (event.type === "part.ended") parts.push(event);
  const histories: object[] = [];
  for (const loop of loops) histories.push(await explain.document(workspace, loop));
  cli.printJson({ ...run, parts, loops: histories });
}

async function write(
  cli: Cli,
  workspace: Workspace,
  run: DrivenRun,
  loops: readonly LoopSummary[],
  explain: LoopExplainer,
) {
  cli.printLine(`${paint("bold", `run ${run.id}`)}  ${printable(run.workflow)}`);
  if (run.message) cli.printWords(`  message   ${printable(run.message)}`);
  const { started } = (await workspace.runs.load(run.id)).state;
  const parts = started?.workflow.parts ?? [];
  const began = new Map<string, string | null>();
  for await (const { event } of workspace.runs.entries(run.id)) {
    if (event.type === "part.began") {
      cli.printLine(`\n${paint("bold", `── ${nameOf(parts, event)} ──`)}`);
      began.set(keyOf(event), event.loop);
      // The loop may not exist yet: its id is journalled before.
      const loop = loops.find(({ id }) => id === event.loop);
      if (loop) await explain.write(workspace, loop);
    }
    if (event.type === "part.ended") {
      const loop = loops.find(({ id }) => id === began.get(keyOf(event)));
      cli.printWords(endLine(parts, event, proofOf(loop?.reason)));
    }
    if (event.type === "run.paused") cli.printWords(paint("yellow", `\nleft: ${printable(event.why)}`));
  }
  cli.printWords(`\n${paint("bold", runStatusWords(run))}${run.detail ? `: ${printable(run.detail)}` : ""}`);
  if (run.status === "interrupted" || isLeft(run)) cli.printLine(paint("dim", `next: ralph workflow resume ${run.id}`));
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

import { printable } from "../../core/ansi.ts";
import { EXIT } from "../../core/errors.ts";
import { provedWords } from "../../core/proof/proved.ts";
import type { LoopSummary } from "../../core/store.ts";
import { tell as tellStory } from "../../core/story.ts";
import { nextOf, storyOf } from "../../wire/loop-story.ts";
import { loopNamed } from "../../wire/task-named.ts";
import { runNamed } from "../../wire/workflow/run-named.ts";
import { openWorkspace, type Workspace } from "../../wire/workspace.ts";
import { paint } from "../paint.ts";
import { print, printJson, printLine, printWords, terminalWidth } from "../print.ts";
import type { LoopStory } from "../run-story.ts";
import { chapterLines } from "../story-lines.ts";
import { activityOf, sessionWords } from "../words.ts";

/** `ralph why`. */
export async function whyCommand(wanted: string, { json = false }: { json?: boolean }): Promise<number> {
  const workspace = await openWorkspace(process.cwd());
  try {
    const run = await runNamed(workspace, wanted);
    if (run) await (await import("../run-story.ts")).tellRun(workspace, run, json, LOOP_STORY);
    else await tellLoop(workspace, await loopNamed(workspace, wanted), json);
    return EXIT.verified;
  } finally {
    workspace.store.close();
  }
}

async function tellLoop(workspace: Workspace, loop: LoopSummary, json: boolean): Promise<void> {
  if (json) printJson(await storyOf(workspace, loop));
  else await writeText(workspace, loop);
}

async function writeText({ store }: Workspace, loop: LoopSummary): Promise<void> {
  const { spec } = (await store.glance(loop.id)).state;
  const width = terminalWidth();
  printLine(`${paint("bold", `loop ${loop.id}`)}  ${printable(loop.title)}`);
  if (spec?.proof.outcome) printWords(`  outcome   ${printable(spec.proof.outcome)}`);
  for await (const chapter of tellStory(store.entries(loop.id)))
    await print(`\n${chapterLines(chapter, spec, width).join("\n")}\n`);
  const end = loop.reason
    ? `stopped: ${loop.reason}${loop.detail ? `, ${printable(loop.detail)}` : ""}`
    : [activityOf(loop), sessionWords(loop)].filter(Boolean).join(" in ");
  const proved = provedWords(loop.proved);
  const next = nextOf(loop);
  printWords(
    `\n${paint("bold", end)}${proved ? ` (${proved})` : ""}${next ? `\n${paint("dim", `next: ${next}`)}` : ""}`,
  );
}

/** How a loop of a run is told. */
const LOOP_STORY: LoopStory = { document: storyOf, write: writeText };

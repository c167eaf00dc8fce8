import { printable } from "../../core/ansi.ts";
import { EXIT } from "../../core/errors.ts";
import type { LoopState } from "../../core/loop/state.ts";
import { provedWords } from "../../core/proof/proved.ts";
import type { LoopSummary } from "../../core/store.ts";
import { tell as tellStory } from "../../core/story.ts";
import { nextOf, storyOf } from "../../wire/loop-story.ts";
import { loopNamed } from "../../wire/task-named.ts";
import { openWorkspace, type Workspace } from "../../wire/workspace.ts";
import { paint } from "../paint.ts";
import { print, printJson, printLine, printWords, terminalWidth } from "../print.ts";
import { chapterLines } from "../story-lines.ts";
import { activityOf } from "../words.ts";

/** `ralph why`. */
export async function whyCommand(wanted: string, { json = false }: { json?: boolean }): Promise<number> {
  const workspace = await openWorkspace(process.cwd());
  try {
    const loop = await loopNamed(workspace, wanted);
    if (json) printJson(await storyOf(workspace, loop));
    else await writeText(workspace, loop, (await workspace.store.load(loop.id)).state);
    return EXIT.verified;
  } finally {
    workspace.store.close();
  }
}

async function writeText({ store }: Workspace, loop: LoopSummary, { spec }: LoopState): Promise<void> {
  const width = terminalWidth();
  printLine(`${paint("bold", `loop ${loop.id}`)}  ${printable(loop.title)}`);
  if (spec?.proof.outcome) printWords(`  outcome   ${printable(spec.proof.outcome)}`);
  for await (const chapter of tellStory(store.entries(loop.id)))
    await print(`\n${chapterLines(chapter, spec, width).join("\n")}\n`);
  const end = loop.reason
    ? `stopped: ${loop.reason}${loop.detail ? `, ${printable(loop.detail)}` : ""}`
    : activityOf(loop);
  const proved = provedWords(loop.proved);
  const next = nextOf(loop);
  printWords(
    `\n${paint("bold", end)}${proved ? ` (${proved})` : ""}${next ? `\n${paint("dim", `next: ${next}`)}` : ""}`,
  );
}

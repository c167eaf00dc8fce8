import { printable } from "../../../core/ansi.ts";
import { EXIT } from "../../../core/errors.ts";
import { shorten } from "../../../core/excerpt.ts";
import { chainWords } from "../../../core/journal-words.ts";
import type { ForeignEntry } from "../../../core/journals.ts";
import type { LoopSummary } from "../../../core/loop/store.ts";
import { protectionWords } from "../../../core/proof/words.ts";
import { attemptsOf } from "../../../core/why.ts";
import { loopBlobs, type Workspace } from "../../../core/workspace.ts";
import { withHolder } from "../../../engine/named.ts";
import { damagedJournal, journalOf, readableEntries, type VerifiedJournal } from "../../../runtime/readable-journal.ts";
import { explainLoop, failingIn, loopStory } from "../../../runtime/why-loop.ts";
import { paint } from "../../terminal/paint.ts";
import type { Cli } from "../context.ts";
import { headLines, loopEnded } from "./why-head.ts";
import { explainedLines } from "./why-lines.ts";
import { logList } from "./why-logs.ts";

/** The readable part is shown first; then a damaged journal is an error. */
export async function printLoop(cli: Cli, workspace: Workspace, loop: LoopSummary, json: boolean): Promise<number> {
  if (json) {
    const explained = await explainLoop(workspace, loop);
    cli.printJson(explained);
    return explained.journal.damage ? EXIT.usage : EXIT.verified;
  }
  const { damage } = await writeLoop(cli, workspace, loop);
  if (damage) throw damagedJournal(loop.id, damage);
  return EXIT.verified;
}

/** How a loop ended, what decided, what to do; then every attempt, and where its logs are. */
export async function writeLoop(cli: Cli, workspace: Workspace, loop: LoopSummary): Promise<VerifiedJournal> {
  const journal = await journalOf(workspace, loop.id);
  const view = await withHolder(workspace, loop);
  const { state, decided, next } = await loopStory(workspace, view, journal);
  const head = { ended: loopEnded(view, state), decided, isOpen: loop.reason === null, next };
  for (const line of headLines(head)) cli.printWords(line);
  const { spec, foreign } = state;
  const facts = [
    ...(spec?.proof.outcome ? [`  outcome   ${printable(spec.proof.outcome)}`] : []),
    ...(spec ? protectionWords(spec.proof) : []).map((words) => `  with      ${printable(words)}`),
  ];
  if (facts.length > 0) cli.printWords(`\n${facts.join("\n")}`);
  const blobs = loopBlobs(workspace, loop.id);
  const logs = logList();
  for await (const explained of attemptsOf(readableEntries(workspace, loop.id, journal))) {
    logs.add(explained);
    const failing = await failingIn(blobs, explained);
    const lines = explainedLines(explained, spec, { width: cli.width(), failing, held: view.held });
    await cli.printLine(`\n${lines.join("\n")}`);
  }
  cli.printLine("");
  for (const line of logs.lines()) cli.printWords(line);
  if (foreign)
    cli.printWords(paint("red", `✗ at entry ${foreign.entry} another process wrote: ${printable(foreign.found)}`));
  for (const line of foreignLines(journal.foreign)) cli.printWords(paint("red", line));
  const words = `journal: ${printable(chainWords(journal))}`;
  cli.printWords(journal.damage ? paint("red", `✗ ${words}`) : paint("dim", words));
  return journal;
}

const TEXT_CHARS = 160;

/** Entries of another process, which are not part of the state. */
const foreignLines = (foreign: readonly ForeignEntry[]): string[] =>
  foreign.map(({ seq, text }) => `  kept aside: entry ${seq}  ${printable(shorten(text, TEXT_CHARS))}`);

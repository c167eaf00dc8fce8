import { inWorkspace } from "../../../adapters/store/workspace.ts";
import { printable } from "../../../core/ansi.ts";
import { EXIT } from "../../../core/errors.ts";
import { shorten } from "../../../core/excerpt.ts";
import { chainWords } from "../../../core/journal-words.ts";
import type { ForeignEntry } from "../../../core/journals.ts";
import type { LoopSummary } from "../../../core/loop/store.ts";
import { provedWords } from "../../../core/proof/proved.ts";
import { proofOf, weakIn } from "../../../core/proof/shown.ts";
import { protectionWords } from "../../../core/proof/words.ts";
import { attemptsOf } from "../../../core/why.ts";
import type { Workspace } from "../../../core/workspace.ts";
import { loopNamed, runNamed } from "../../../engine/named.ts";
import {
  damagedJournal,
  journalOf,
  readableEntries,
  stateOf,
  type VerifiedJournal,
} from "../../../runtime/readable-journal.ts";
import { explainLoop, nextOf } from "../../../runtime/why-loop.ts";
import type { Cli, JsonOption } from "../context.ts";
import { paint } from "../output/paint.ts";
import { activityOf, sessionWords } from "../output/phrases.ts";
import { endWords, levelWords } from "../views/end-lines.ts";
import { explainedLines } from "../views/why-lines.ts";

export async function whyCommand(cli: Cli, wanted: string, { json = false }: JsonOption): Promise<number> {
  return inWorkspace({ cwd: cli.cwd() }, async (workspace) => {
    const run = await runNamed(workspace, wanted);
    if (run)
      await (await import("../views/why-run.ts")).printRun(cli, workspace, run, json, {
        document: explainLoop,
        write: (...loop) => writeText(cli, ...loop),
      });
    else return await printLoop(cli, workspace, await loopNamed(workspace, wanted), json);
    return EXIT.verified;
  });
}

/** The readable part is shown first; then a damaged journal is an error. */
async function printLoop(cli: Cli, workspace: Workspace, loop: LoopSummary, json: boolean): Promise<number> {
  if (json) {
    const explained = await explainLoop(workspace, loop);
    cli.printJson(explained);
    return explained.journal.damage ? EXIT.usage : EXIT.verified;
  }
  const { damage } = await writeText(cli, workspace, loop);
  if (damage) throw damagedJournal(loop.id, damage);
  return EXIT.verified;
}

async function writeText(cli: Cli, workspace: Workspace, loop: LoopSummary): Promise<VerifiedJournal> {
  const journal = await journalOf(workspace, loop.id);
  const state = await stateOf(workspace, loop.id, journal);
  const { spec, foreign } = state;
  const width = cli.width();
  cli.printLine(`${paint("bold", `loop ${loop.id}`)}  ${printable(loop.title)}`);
  if (spec?.proof.outcome) cli.printWords(`  outcome   ${printable(spec.proof.outcome)}`);
  for (const words of spec ? protectionWords(spec.proof) : []) cli.printWords(`  with      ${printable(words)}`);
  for await (const explained of attemptsOf(readableEntries(workspace, loop.id, journal)))
    await cli.printLine(`\n${explainedLines(explained, spec, width).join("\n")}`);
  const end = loop.reason
    ? `stopped: ${endWords(loop.reason, weakIn(state))}${loop.detail ? `, ${printable(loop.detail)}` : ""}`
    : [activityOf(loop), sessionWords(loop)].filter(Boolean).join(" in ");
  const proved = provedWords(loop.proved);
  const next = nextOf(loop, state);
  const level = proofOf(loop.reason);
  cli.printWords(
    `\n${paint("bold", end)}${proved ? ` (${proved})` : ""}${level ? `\n${levelWords(level)}` : ""}${next ? `\n${paint("dim", `next: ${next}`)}` : ""}`,
  );
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

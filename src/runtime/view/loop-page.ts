import type { Blobs } from "../../core/blobs.ts";
import type { Entry } from "../../core/loop/events.ts";
import type { LoopPage } from "../../core/view/loop-page.ts";
import { type LoopFacts, loopPage } from "../../core/view/loop-page-of.ts";
import type { ShownAttempt } from "../../core/view/timeline.ts";
import { attemptsOf, type Explained, type ExplainedAttempt, type ExplainedBaseline } from "../../core/why.ts";
import { loopBlobs, type Workspace } from "../../core/workspace.ts";
import { loopNamed, withHolder } from "../../engine/named.ts";
import { journalOf, readableEntries, type VerifiedJournal } from "../readable-journal.ts";
import { decisionOf, failingIn, type LastDecision, loopStory, namesIn } from "../why-loop.ts";
import { pulseOf } from "./loop-pulse.ts";

/** Everything that a face shows about a loop, or about the current or last loop of a task: its newest attempts. Takes no lease. */
export async function loopPageOf(
  workspace: Workspace,
  wanted: string,
  { limit }: { limit: number },
): Promise<LoopPage> {
  const { store } = workspace;
  const found = await loopNamed(workspace, wanted);
  const journal = await journalOf({ store }, found.id);
  const loop = await withHolder(workspace, found);
  const { attempts, baseline, last, ...read } = await readAttempts(workspace, { id: loop.id, journal, limit });
  const { state, decided, next } = await loopStory(workspace, loop, journal, last);
  const blobs = loopBlobs(workspace, loop.id);
  const shown: ShownAttempt[] = [];
  for (const attempt of attempts) shown.push(await withNames(blobs, attempt));
  return loopPage({
    ...{ loop, state, decided, next, journal, held: loop.held, pulse: await pulseOf(workspace, loop) },
    ...read,
    baseline: baseline && (await withNames(blobs, baseline)),
    attempts: shown,
  });
}

const withNames = async <Of extends Explained>(blobs: Blobs, explained: Of) => ({
  ...explained,
  failingTests: namesIn(explained, await failingIn(blobs, explained)),
});

interface AttemptsRead extends Pick<LoopFacts, "earlier" | "receipt"> {
  attempts: ExplainedAttempt[];
  baseline: ExplainedBaseline | null;
  last: LastDecision;
}

/** One pass over the journal, with at most `limit` attempts in memory. */
async function readAttempts(
  workspace: Workspace,
  { id, journal, limit }: { id: string; journal: VerifiedJournal; limit: number },
): Promise<AttemptsRead> {
  const read: AttemptsRead = { attempts: [], baseline: null, last: null, earlier: 0, receipt: false };
  async function* entries(): AsyncGenerator<Entry> {
    for await (const entry of readableEntries(workspace, id, journal)) {
      read.receipt ||= entry.event.type === "receipt.made";
      yield entry;
    }
  }
  for await (const explained of attemptsOf(entries())) {
    read.last = decisionOf(explained) ?? read.last;
    if (explained.is === "baseline") read.baseline = explained;
    else keep(read, explained, limit);
  }
  return read;
}

function keep(read: AttemptsRead, attempt: ExplainedAttempt, limit: number): void {
  read.attempts.push(attempt);
  if (read.attempts.length <= limit) return;
  read.attempts.shift();
  read.earlier++;
}

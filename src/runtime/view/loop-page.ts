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

export interface Stretch {
  /** Only iterations after this one, the first ones of them; omitted: the newest. */
  after?: number | undefined;
  /** The maximum number of attempts. */
  limit?: number | undefined;
}

const MOST_ATTEMPTS = 50;

/** Everything that a face shows about a loop, or about the current or last loop of a task. Takes no lease. */
export async function loopPageOf(workspace: Workspace, wanted: string, stretch: Stretch = {}): Promise<LoopPage> {
  const { store } = workspace;
  const found = await loopNamed(workspace, wanted);
  const journal = await journalOf({ store }, found.id);
  const loop = await withHolder(workspace, found);
  const { attempts, baseline, last, ...read } = await readAttempts(workspace, loop.id, journal, stretch);
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

interface AttemptsRead extends Pick<LoopFacts, "earlier" | "later" | "receipt"> {
  attempts: ExplainedAttempt[];
  baseline: ExplainedBaseline | null;
  last: LastDecision;
}

/** One pass over the journal, with at most `limit` attempts in memory. */
async function readAttempts(
  workspace: Workspace,
  loop: string,
  journal: VerifiedJournal,
  { after, limit = MOST_ATTEMPTS }: Stretch,
): Promise<AttemptsRead> {
  const read: AttemptsRead = { attempts: [], baseline: null, last: null, earlier: 0, later: 0, receipt: false };
  async function* entries(): AsyncGenerator<Entry> {
    for await (const entry of readableEntries(workspace, loop, journal)) {
      read.receipt ||= entry.event.type === "receipt.made";
      yield entry;
    }
  }
  for await (const explained of attemptsOf(entries())) {
    read.last = decisionOf(explained) ?? read.last;
    if (explained.is === "baseline") read.baseline = explained;
    else keep(read, explained, { after, limit });
  }
  return read;
}

function keep(read: AttemptsRead, attempt: ExplainedAttempt, { after, limit }: Stretch & { limit: number }): void {
  if (after !== undefined && attempt.n <= after) {
    read.earlier++;
    return;
  }
  if (after !== undefined && read.attempts.length >= limit) {
    read.later++;
    return;
  }
  read.attempts.push(attempt);
  if (read.attempts.length <= limit) return;
  read.attempts.shift();
  read.earlier++;
}

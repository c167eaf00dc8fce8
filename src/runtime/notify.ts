import type { Stops } from "../adapters/io/ending.ts";
import { settled, timer } from "../adapters/io/timer.ts";
import { sweep } from "../adapters/io/tokens.ts";
import type { Watchdog } from "../adapters/io/watchdog.ts";
import { type TellQueue, tellQueue } from "../core/bounded-queue.ts";
import type { LoopChange } from "../core/loop/kind.ts";
import { receiverName, recipientName } from "../core/loop/notes.ts";
import { type NoticeFacts, noticeFacts, noticesOf } from "../core/loop/notices.ts";
import type { Notice, Receiver } from "../core/loop/spec.ts";
import type { LoopState } from "../core/loop/state.ts";
import type { LoadedLoop } from "../core/loop/store.ts";
import type { LoopWatcher } from "./loop-watcher.ts";
import { type TellSetting, tellAnchor, tellRecipient } from "./tell-recipient.ts";

/** Sends notifications to a loop's recipients in the background: the loop neither waits for nor fails with them. */
interface Notifier {
  follow(changes: AsyncGenerator<LoopChange, LoopState>): AsyncGenerator<LoopChange, LoopState>;
  /** Waits a limited time for pending notifications. Nothing runs afterwards. */
  close(): Promise<void>;
}

interface NotifierRequest {
  loop: LoadedLoop;
  stops: Stops;
  view: Pick<LoopWatcher, "note">;
  watchdog: Watchdog;
  /** Names this process in the run tokens. */
  processToken: string;
  head(): string;
}

export function openNotifier(request: NotifierRequest): Notifier {
  const { loop, stops, view, watchdog, processToken } = request;
  // Not one of the loop's own tokens, so that a resumed loop does not kill the last notifications.
  const token = `${loop.id}-notify/${processToken}/`;
  const quit = new AbortController();
  const settingOf = (place: string) => ({ token: `${token}${place}/`, watchdog, quit: quit.signal });
  const outlets = (loop.state.spec?.notify ?? []).map((recipient, place): Outlet => {
    const to = recipientName(recipient, place);
    const queue = noticeQueue(async (facts) => {
      const detail = await tellRecipient(recipient.run, facts, settingOf(`${place}`));
      if (detail === null) return;
      view.note?.({ type: "notice.failed", loop: loop.id, notice: facts.notice, to, detail });
    });
    return { on: recipient.on, to, queue };
  });
  const anchor = loop.state.spec?.anchor;
  if (anchor) outlets.push(anchored(anchor, request, settingOf("anchor")));
  return {
    async *follow(changes) {
      if (outlets.length === 0) return yield* changes;
      while (true) {
        const next = await changes.next();
        if (next.done) return next.value;
        const { entry, after } = next.value;
        const notices = noticesOf(entry, after);
        for (const { on, queue } of outlets) {
          const notice = notices.find((name) => on.includes(name));
          if (notice) queue.add(noticeFacts(notice, entry, after));
        }
        yield next.value;
      }
    },
    async close() {
      if (outlets.length === 0) return;
      const queues = outlets.map(({ queue }) => queue);
      await finish(queues, {
        stops,
        quit,
        pending: (tell) => view.note?.({ type: "notice.pending", loop: loop.id, ...tell }),
      });
      sweep(token);
      for (const { to, queue } of outlets) {
        if (queue.dropped > 0) view.note?.({ type: "notice.dropped", loop: loop.id, to, count: queue.dropped });
      }
    },
  };
}

interface Outlet {
  on: readonly Notice[];
  to: string;
  queue: NoticeQueue;
}

/** Receives the head at every stop, which is a driver's last entry. */
function anchored(run: Receiver, { loop, view, head }: NotifierRequest, setting: TellSetting): Outlet {
  const to = `anchor (${receiverName(run)})`;
  const queue = noticeQueue(async ({ seq, reason, at, cwd }) => {
    const detail = await tellAnchor(run, { loop: loop.id, seq, head: head(), reason, at, cwd }, setting);
    if (detail !== null) view.note?.({ type: "anchor.failed", loop: loop.id, to, detail });
  });
  return { on: ["stopped"], to, queue };
}

/** How long the end of a loop waits for notifications. After a third of this time, iteration notices are dropped. */
const CLOSE_MS = 15_000;
const QUIET_MS = 1_000;
const QUIT_MS = 2_000;

interface Finish {
  stops: Stops;
  quit: AbortController;
  pending(outlets: { count: number; withinMs: number }): void;
}

async function finish(queues: readonly NoticeQueue[], { stops, quit, pending }: Finish): Promise<void> {
  const idle = Promise.all(queues.map((queue) => queue.idle()));
  const drop = (which: Parameters<NoticeQueue["drop"]>[0]) => {
    for (const queue of queues) queue.drop(which);
  };
  const cut = () => {
    drop(() => true);
    quit.abort();
  };
  const slow = timer(QUIET_MS, () => {
    pending({ count: queues.reduce((sum, queue) => sum + queue.pending, 0), withinMs: CLOSE_MS - QUIET_MS });
  });
  const late = timer(CLOSE_MS / 3, () => drop(isIteration));
  // The Ctrl-C that stopped the loop does not stop this; the next one does.
  const leave = stops.soft.aborted ? stops.hard : stops.soft;
  leave.addEventListener("abort", cut);
  if (leave.aborted) cut();
  await settled(idle, CLOSE_MS);
  cut();
  await settled(idle, QUIT_MS);
  leave.removeEventListener("abort", cut);
  slow.stop();
  late.stop();
}

const MOST_WAITING = 50;

/** The notices of one recipient, sent one by one in the background. */
type NoticeQueue = TellQueue<NoticeFacts>;

/** `tell` never throws and deals with its failures itself. */
export const noticeQueue = (tell: (facts: NoticeFacts) => Promise<void>): NoticeQueue =>
  tellQueue({ tell, most: MOST_WAITING, isMinor: isIteration });

/** Iteration notices are dropped first. */
export const isIteration = ({ notice }: NoticeFacts): boolean => notice === "iteration";

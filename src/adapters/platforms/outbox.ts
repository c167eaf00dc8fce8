import { type TellQueue, tellQueue } from "../../core/bounded-queue.ts";
import { limiter } from "../../core/concurrency.ts";
import { messageOf } from "../../core/errors.ts";
import { cut } from "../../core/excerpt.ts";
import type { Outbound, ProgressReport, ProgressReporter, StreamingMode } from "../../core/platform.ts";
import type { Conversation } from "../../core/workflow/events.ts";
import type { RunStore } from "../../core/workflow/store.ts";
import { settled } from "../io/timer.ts";
import { CRITICAL_RETRIES, deliver, RETRIES, type Retries } from "./deliver.ts";

interface Posting {
  conversation: Conversation;
  content: string;
  role: "assistant" | "system";
  run: string | null;
  critical: boolean;
}

/** Records messages and sends those of a conversation in order, one at a time, in the background. Never throws. */
export interface Outbox {
  post(posting: Posting): void;
  reporter(conversation: Conversation, run: string): ProgressReporter;
  /** Resolves once all posted messages are recorded. */
  recorded(): Promise<void>;
  /** Waits for pending messages at most this long, then drops them. Returns the total number dropped. */
  close(withinMs: number): Promise<{ dropped: number }>;
}

interface OutboxRequest {
  runs: Pick<RunStore, "hear">;
  /** By platform. Conversations of other platforms are only recorded. */
  outbounds: ReadonlyMap<string, Outbound>;
  log(line: string): void;
  retries?: { usual: Retries; critical: Retries };
  /** Called for each message of a run that was dropped after its reporter was closed. */
  onLateDrop?(run: string): void;
  closeMs?: number;
}

const MAX_WAITING = 100;
/** How many messages are sent to a platform at once, over all conversations. */
const MAX_CONCURRENT = 8;
/** A longer message is cut in the middle: nothing longer is readable in a conversation. */
const MAX_CHARS = 100_000;
const CLOSE_MS = 10_000;
const CUT_MS = 2_000;

/** `over` is called once, after it was sent or dropped. */
type Item = Posting & { atMs: number; over(isSent: boolean): void };

interface Channel {
  recording: Promise<void>;
  /** Null if messages are only recorded. */
  queue: TellQueue<Item> | null;
  open: number;
}

export function openOutbox(request: OutboxRequest): Outbox {
  const { runs, outbounds, log, closeMs = CLOSE_MS } = request;
  const channels = new Map<string, Channel>();
  const quit = new AbortController();
  const queueFor = deliveries(request, quit.signal);
  let dropped = 0;

  async function record({ conversation, content, role, run, atMs }: Item): Promise<boolean> {
    try {
      await runs.hear({ conversation, content, role, run }, null, atMs);
      return true;
    } catch (error) {
      log(`${keyOf(conversation)}: a message could not be recorded: ${messageOf(error)}`);
      return false;
    }
  }

  /** Messages are recorded in order before they are sent. A channel exists while one of its messages is pending. */
  function add(posting: Posting, onEnd: (isSent: boolean) => void): void {
    const { conversation } = posting;
    const key = keyOf(conversation);
    const channel = channels.get(key) ?? { recording: Promise.resolve(), queue: queueFor(conversation), open: 0 };
    channels.set(key, channel);
    channel.open++;
    const over = (isSent: boolean) => {
      if (!isSent) dropped++;
      if (--channel.open === 0) channels.delete(key);
      onEnd(isSent);
    };
    const item = { ...posting, content: cut(posting.content, MAX_CHARS), atMs: Date.now(), over };
    channel.recording = channel.recording.then(async () => {
      const isRecorded = await record(item);
      if (channel.queue) channel.queue.add(item);
      else over(isRecorded);
    });
  }

  const recorded = async () => {
    await Promise.all([...channels.values()].map(({ recording }) => recording));
  };

  return {
    post: (posting) => add(posting, () => undefined),
    recorded,
    reporter(conversation, run) {
      return reporterOf({
        mode: outbounds.get(conversation.platform)?.mode ?? "stream",
        closeMs,
        add({ kind, text, critical = false }, onEnd) {
          const role = kind === "progress" ? "system" : "assistant";
          add({ conversation, content: text, role, run, critical }, onEnd);
        },
        onLateDrop: () => request.onLateDrop?.(run),
      });
    },
    async close(withinMs) {
      await recorded();
      const queues = [...channels.values()].flatMap(({ queue }) => queue ?? []);
      const idle = Promise.all(queues.map((queue) => queue.idle()));
      await settled(idle, withinMs);
      for (const queue of queues) queue.drop(() => true);
      quit.abort();
      await settled(idle, CUT_MS);
      return { dropped };
    },
  };
}

function deliveries({ outbounds, log, retries }: OutboxRequest, quit: AbortSignal) {
  const { usual, critical } = retries ?? { usual: RETRIES, critical: CRITICAL_RETRIES };
  const gates = new Map([...outbounds.values()].map((outbound) => [outbound, limiter(MAX_CONCURRENT)]));
  return (conversation: Conversation): TellQueue<Item> | null => {
    const outbound = outbounds.get(conversation.platform);
    if (!outbound) return null;
    const gate = gates.get(outbound) ?? limiter(MAX_CONCURRENT);
    const limited: Outbound = { ...outbound, send: (message, signal) => gate(() => outbound.send(message, signal)) };
    return tellQueue<Item>({
      async tell(item) {
        const message = { ...item, conversation: conversation.id };
        const why = await deliver(limited, message, item.critical ? critical : usual, quit);
        if (why !== null) log(`${keyOf(conversation)}: a message could not be sent: ${why}`);
        item.over(why === null);
      },
      most: MAX_WAITING,
      isMinor: (item) => !item.critical,
      onDrop: (item) => item.over(false),
    });
  };
}

interface ReporterRequest {
  mode: StreamingMode;
  closeMs: number;
  add(report: ProgressReport, onEnd: (isSent: boolean) => void): void;
  onLateDrop(): void;
}

/** Messages that are pending when the run ends may still be sent later. */
function reporterOf({ mode, closeMs, add, onLateDrop }: ReporterRequest): ProgressReporter {
  let open = 0;
  let dropped = 0;
  let isClosed = false;
  let onIdle: () => void = () => undefined;
  const onEnd = (isSent: boolean) => {
    if (!isSent && isClosed) onLateDrop();
    else if (!isSent) dropped++;
    if (--open === 0) onIdle();
  };
  return {
    mode,
    report(report) {
      open++;
      add(report, onEnd);
    },
    async close() {
      const idle = new Promise<void>((resolve) => {
        onIdle = resolve;
      });
      if (open > 0) await settled(idle, closeMs);
      isClosed = true;
      return { dropped };
    },
  };
}

const keyOf = ({ platform, id }: Conversation): string => `${platform}:${id}`;

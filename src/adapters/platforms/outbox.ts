import { type TellQueue, tellQueue } from "../../core/bounded-queue.ts";
import { limiter } from "../../core/concurrency.ts";
import { messageOf } from "../../core/errors.ts";
import { cut } from "../../core/excerpt.ts";
import type { Platform, StreamingMode, Teller, Telling } from "../../core/platform.ts";
import type { Conversation } from "../../core/workflow/events.ts";
import type { RunStore } from "../../core/workflow/store.ts";
import { settled } from "../io/timer.ts";
import { CRITICAL_DELIVERY_LIMITS, DELIVERY_LIMITS, type DeliveryLimits, deliver } from "./deliver.ts";

/** Something that is said in a conversation. */
interface Saying {
  conversation: Conversation;
  content: string;
  /** `system`: what Ralph says of itself. */
  role: "assistant" | "system";
  run: string | null;
  critical: boolean;
}

/**
 * Says things in conversations: records them, and has them delivered where the platform asks for it. Each conversation
 * is told in order, one message at a time, and beside the work. Never throws.
 */
export interface Outbox {
  say(saying: Saying): void;
  /** Tells a conversation what a run does. */
  teller(conversation: Conversation, run: string): Teller;
  /** Resolves once all that was said is recorded. */
  recorded(): Promise<void>;
  /** Gives what is pending so much time, then cuts it short; how many messages nobody was told, in all. */
  close(withinMs: number): Promise<{ dropped: number }>;
}

interface OutboxRequest {
  runs: Pick<RunStore, "hear">;
  platforms: ReadonlyMap<string, Platform>;
  log(line: string): void;
  patience?: { usual: DeliveryLimits; critical: DeliveryLimits };
  /** Called for each message of a run that nobody could be told after its teller was closed. */
  onLateDrop?(run: string): void;
  /** How long the end of a run waits for what it has said. */
  closeMs?: number;
}

const MOST_WAITING = 100;
/** How many messages a platform is sent at once, over all conversations. */
const AT_ONCE = 8;
/** More is cut in the middle: nobody reads it in a conversation. */
const MOST_CHARS = 100_000;
const CLOSE_MS = 10_000;
const CUT_MS = 2_000;

interface Item extends Saying {
  atMs: number;
  /** Called once, when it was told or nobody could be. */
  over(isTold: boolean): void;
}

interface Channel {
  recording: Promise<void>;
  /** Null: being recorded is all that there is to it. */
  queue: TellQueue<Item> | null;
  /** How many of its messages are not over. */
  open: number;
}

export function openOutbox(request: OutboxRequest): Outbox {
  const { runs, platforms, log, closeMs = CLOSE_MS } = request;
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

  /** What is said first is recorded first, and only then told. A channel is there as long as something of it is open. */
  function add(saying: Saying, onEnd: (isTold: boolean) => void): void {
    const { conversation } = saying;
    const key = keyOf(conversation);
    const channel = channels.get(key) ?? { recording: Promise.resolve(), queue: queueFor(conversation), open: 0 };
    channels.set(key, channel);
    channel.open++;
    const over = (isTold: boolean) => {
      if (!isTold) dropped++;
      if (--channel.open === 0) channels.delete(key);
      onEnd(isTold);
    };
    const item = { ...saying, content: cut(saying.content, MOST_CHARS), atMs: Date.now(), over };
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
    say: (saying) => add(saying, () => undefined),
    recorded,
    teller(conversation, run) {
      return tellerOf({
        mode: platforms.get(conversation.platform)?.mode ?? "stream",
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

/** The queue of a conversation whose platform has to be told. */
function deliveries({ platforms, log, patience }: OutboxRequest, quit: AbortSignal) {
  const { usual, critical } = patience ?? { usual: DELIVERY_LIMITS, critical: CRITICAL_DELIVERY_LIMITS };
  const gates = new Map([...platforms.values()].map((platform) => [platform, limiter(AT_ONCE)]));
  return (conversation: Conversation): TellQueue<Item> | null => {
    const platform = platforms.get(conversation.platform);
    if (!platform) return null;
    const gate = gates.get(platform) ?? limiter(AT_ONCE);
    const sending: Platform = {
      ...platform,
      sendMessage: (message, signal) => gate(() => platform.sendMessage(message, signal)),
    };
    return tellQueue<Item>({
      async tell(item) {
        const message = { ...item, conversation: conversation.id };
        const why = await deliver(sending, message, item.critical ? critical : usual, quit);
        if (why !== null) log(`${keyOf(conversation)}: ${platform.name} was not told: ${why}`);
        item.over(why === null);
      },
      most: MOST_WAITING,
      isMinor: (item) => !item.critical,
      onDrop: (item) => item.over(false),
    });
  };
}

interface TellerRequest {
  mode: StreamingMode;
  closeMs: number;
  add(telling: Telling, onEnd: (isTold: boolean) => void): void;
  onLateDrop(): void;
}

/** What is not over when the run ends goes on: it may still be told. */
function tellerOf({ mode, closeMs, add, onLateDrop }: TellerRequest): Teller {
  let open = 0;
  let dropped = 0;
  let isClosed = false;
  let onIdle: () => void = () => undefined;
  const onEnd = (isTold: boolean) => {
    if (!isTold && isClosed) onLateDrop();
    else if (!isTold) dropped++;
    if (--open === 0) onIdle();
  };
  return {
    mode,
    tell(telling) {
      open++;
      add(telling, onEnd);
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

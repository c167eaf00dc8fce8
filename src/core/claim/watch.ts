import { ansiFilter } from "../ansi.ts";
import type { ClaimReading, Doubt } from "./claim.ts";
import { echoDetector } from "./echo.ts";
import { keepEnds, type MessageReading, messageReader } from "./hearing.ts";
import { noteReader } from "./notes.ts";
import type { ClaimPolicy } from "./policy.ts";
import { viewCutter } from "./view.ts";

/** Reads an iteration's assistant text as it arrives; memory is bounded for any text. */
export interface ClaimWatch {
  say(chunk: string): void;
  endMessage(): void;
  /** Ends the message too: a tool call after a claim shows that the work continued. */
  toolCalled(): void;
  finish(): ClaimReading;
}

/** Context besides the text: the prompt, so that its echo is recognised. */
export interface ClaimContext {
  prompt?: string;
}

/** Watches one iteration. Offsets count from the iteration's first character, without escape sequences. */
export function watchClaims(policy: ClaimPolicy, context: ClaimContext = {}): ClaimWatch {
  const echo = echoDetector(context.prompt);
  const ansi = ansiFilter();
  const doubts: Doubt[] = [];
  let standing: MessageReading | null = null;
  const notes: string[] = [];
  let message = messageReader(policy, echo);
  let readNotes = noteReader(echo, notes);
  const cutter = viewCutter((view, part) => {
    message.read(view, part);
    readNotes(view, part);
  });

  function doubt(...found: Doubt[]): void {
    doubts.push(...found);
    keepEnds(doubts);
  }

  function drop(rule: string): void {
    if (standing?.claim) {
      const { start, end, quote } = standing.claim;
      doubt({ is: "guarded", rule, start, end, quote });
    }
    standing = null;
  }

  function endMessage(): void {
    cutter.add(ansi.flush());
    cutter.end();
    const { reading } = message;
    message = messageReader(policy, echo);
    readNotes = noteReader(echo, notes);
    if (reading.blank) return;
    if (policy.scope === "last-message") drop("later-message");
    doubt(...reading.guarded);
    standing = succeed(policy, standing, reading);
  }

  return {
    say: (chunk) => cutter.add(ansi.pass(chunk)),
    endMessage,
    toolCalled() {
      endMessage();
      if (policy.scope === "last-message") drop("tool-call-after");
    },
    finish() {
      endMessage();
      const { claim = null, blocked = null, contradictions = [] } = standing ?? {};
      const said = notes.length > 0 ? { notes } : {};
      return { claim, blocked, doubts: [...doubts, ...contradictions], ...said };
    },
  };
}

/** Which of two messages speaks for the iteration: the later one that says something, unless the first decides. */
function succeed(policy: ClaimPolicy, before: MessageReading | null, now: MessageReading): MessageReading | null {
  if (before === null || policy.scope === "last-message") return now;
  if (!now.decided && now.blocked === null) return before;
  return policy.first && before.decided ? { ...before, blocked: now.blocked } : now;
}

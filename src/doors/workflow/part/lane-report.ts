import type { AgentEvent } from "../../../core/agent.ts";
import { excerpt } from "../../../core/excerpt.ts";
import type { ProgressReporter } from "../../../core/platform.ts";
import { saidBy, toolCalled, toolFailed, toolRefused } from "../messages.ts";

/** Longer messages are cut in the middle, because they stay in memory until they are sent. */
const MESSAGE_CHARS = 64_000;

/** Reports to a conversation what an agent says and does in one lane of a run. */
export interface LaneReporter {
  hear(event: AgentEvent): void;
  /** Whether the agent has printed anything since the turn started. */
  readonly heard: boolean;
  /** Text without events, such as the output of a plain-text agent. */
  say(text: string): void;
  /** A turn has ended: in batch mode its messages are reported now. */
  turnEnded(): void;
  turnVoided(): void;
}

/** A tool call, or that it failed; null for another event. */
function toolText(event: AgentEvent): string | null {
  switch (event.type) {
    case "tool.called":
      return toolCalled(event.name, event.summary);
    case "tool.failed":
      return toolFailed(event.name, event.detail);
    case "tool.denied":
      return toolRefused(event.name, event.detail);
    default:
      return null;
  }
}

/** `name`: that of the lane if others run at the same time, otherwise null. */
export function laneReporter(reporter: ProgressReporter, name: string | null): LaneReporter {
  const marked = (text: string) => (name === null ? text : saidBy(name, text));
  let message = excerpt(MESSAGE_CHARS);
  let all = excerpt(MESSAGE_CHARS);
  let heard = false;
  const endMessage = () => {
    const text = message.text().trim();
    message = excerpt(MESSAGE_CHARS);
    if (text === "") return;
    if (reporter.mode === "stream") reporter.report({ kind: "assistant", text: marked(text) });
    else all.add(heard ? `\n\n${text}` : text);
    heard = true;
  };
  const reset = () => {
    message = excerpt(MESSAGE_CHARS);
    all = excerpt(MESSAGE_CHARS);
    heard = false;
  };
  return {
    get heard() {
      return heard;
    },
    hear(event) {
      if (event.type === "text.said") message.add(event.text);
      if (event.type === "message.ended") endMessage();
      const text = toolText(event);
      if (text === null) return;
      endMessage();
      if (reporter.mode === "stream") reporter.report({ kind: "tool", text: marked(text) });
    },
    say(text) {
      message.add(text);
      endMessage();
    },
    turnEnded() {
      endMessage();
      const text = all.text().trim();
      reset();
      if (reporter.mode === "batch" && text !== "") reporter.report({ kind: "assistant", text: marked(text) });
    },
    turnVoided: reset,
  };
}

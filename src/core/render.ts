import type { AgentEvent } from "./agent.ts";
import { printable, type TextFilter } from "./ansi.ts";
import { shorten } from "./excerpt.ts";
import { terminalFilter } from "./terminal-text.ts";

const SUMMARY_CHARS = 160;

/** How a line is highlighted if colours are enabled. */
export type Alarm = (line: string) => string;

/**
 * Shows an agent's events to the user: each message on its own lines, and each tool on one line. Nothing in an event
 * can move the cursor or change the terminal.
 */
export function openRenderer(alarm: Alarm = (line) => line, colours = false): (event: AgentEvent) => string {
  const filter = messageText(colours);
  /** The state of the current message: not started, in the middle of a line, or at the end of one. */
  let at: "begin" | "line" | "end" = "begin";
  /** A blank line that counts only when more of the message follows. */
  let held = "";
  const say = (text: string): string => {
    const before = at === "end" ? "\n" : "";
    const fresh = at === "begin" ? text.replace(/^\n+/, "") : text;
    const all = (before + held + fresh).replace(/\n{3,}/g, "\n\n");
    const end = all.endsWith("\n\n") ? all.length - 1 : all.length;
    const shown = all.slice(before.length, end);
    held = all.slice(end);
    if (shown !== "") at = shown.endsWith("\n") ? "end" : "line";
    return shown;
  };
  const endMessage = (): string => {
    const rest = say(filter.flush());
    const end = at === "line" ? "\n" : "";
    at = "begin";
    held = "";
    return rest + end;
  };
  return (event) => {
    switch (event.type) {
      case "text.said":
        return say(filter.pass(event.text));
      case "message.ended":
        return endMessage();
      case "tool.called":
        return `${endMessage()}  → ${oneLine(`${event.name} ${event.summary}`)}\n`;
      case "tool.denied":
        return `${endMessage()}${alarm(`  ✗ refused: ${oneLine(`${event.name} ${event.detail}`)}`)}\n`;
      case "tool.failed":
        return `${endMessage()}${alarm(`  ✗ ${oneLine(`${event.name} failed${event.detail ? `: ${event.detail}` : ""}`)}`)}\n`;
      case "turn.stalled":
        return `${endMessage()}  … ${event.fault.kind}: ${oneLine(event.fault.detail)}\n`;
      case "turn.failed":
        return `${endMessage()}${alarm(`  ✗ ${event.fault.kind}: ${oneLine(event.fault.detail)}`)}\n`;
      default:
        return "";
    }
  };
}

/** A message is text: a return in it does not mean a new line, as it does in the output of a program. */
const messageText = (colours: boolean): TextFilter => terminalFilter({ colours, loneReturn: "nothing" });

/** Removes control characters from a text, also one in pieces; line ends, tabs, and with `colours` those stay. */
export const readableText = (colours = false): TextFilter => messageText(colours);

const oneLine = (text: string): string => shorten(printable(text), SUMMARY_CHARS);

import type { AgentEvent } from "../../core/agent.ts";
import { type Fields, fieldsOf, textOf } from "./json.ts";

/** Joins the blocks of one message and drops a block that was already streamed in pieces. */
export function messageWriter() {
  let open: string | null = null;
  let arriving: string | null = null;
  let inPieces: string | null = null;

  const end = (): AgentEvent[] => {
    const events: AgentEvent[] = open === null ? [] : [{ type: "message.ended" }];
    open = null;
    return events;
  };
  /** A new block of the same message starts on a new line. */
  const begin = (id: string): AgentEvent[] => {
    const events: AgentEvent[] = open === id && id !== "" ? [{ type: "text.said", text: "\n" }] : end();
    open = id;
    return events;
  };
  return {
    end,
    block: (id: string, text: string): AgentEvent[] =>
      inPieces !== null && inPieces === id ? [] : [...begin(id), { type: "text.said", text }],
    partial(event: Fields): AgentEvent[] {
      if (event.type === "message_start") arriving = textOf(fieldsOf(event.message).id) || null;
      if (arriving === null) return [];
      if (event.type === "content_block_start" && fieldsOf(event.content_block).type === "text") {
        inPieces = arriving;
        return begin(arriving);
      }
      const { type, text } = fieldsOf(event.delta);
      return type === "text_delta" && inPieces === arriving ? [{ type: "text.said", text: textOf(text) }] : [];
    },
  };
}

export type MessageWriter = ReturnType<typeof messageWriter>;

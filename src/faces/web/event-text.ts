/** One Server-Sent Event. */
export interface ServerEvent {
  event: string;
  data: string;
}

/** The events in a stream of text, however it is cut into chunks. Comments and unknown fields are skipped. */
export async function* eventsIn(chunks: AsyncIterable<string>): AsyncGenerator<ServerEvent> {
  let rest = "";
  for await (const chunk of chunks) {
    const blocks = (rest + chunk).split(/\r?\n\r?\n/);
    rest = blocks.pop() ?? "";
    for (const block of blocks) {
      const event = eventOf(block);
      if (event) yield event;
    }
  }
}

function eventOf(block: string): ServerEvent | null {
  let event = "message";
  const data: string[] = [];
  for (const line of block.split(/\r?\n/)) {
    const [, field, value = ""] = /^(event|data): ?(.*)$/.exec(line) ?? [];
    if (field === "event") event = value;
    if (field === "data") data.push(value);
  }
  return data.length > 0 ? { event, data: data.join("\n") } : null;
}

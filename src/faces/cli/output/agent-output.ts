import { StringDecoder } from "node:string_decoder";
import { terminalFilter } from "../../../core/terminal-text.ts";

/** Turns an agent's output into what is shown of it. */
export interface AgentOutput {
  pass(output: Buffer | string): Buffer | string;
  /** What was held back, at the end of a turn or before a line of Ralph. */
  flush(): string;
}

/** Text and colours: an agent's output may not move the cursor, fill the clipboard or change the terminal's title. */
export function shownOutput(colours: boolean): AgentOutput {
  let decoder = new StringDecoder("utf8");
  const filter = terminalFilter({ colours });
  return {
    pass: (output) => filter.pass(typeof output === "string" ? output : decoder.write(output)),
    flush() {
      const rest = filter.pass(decoder.end()) + filter.flush();
      decoder = new StringDecoder("utf8");
      return rest;
    },
  };
}

/** The bytes as the agent printed them. */
export const rawOutput: AgentOutput = { pass: (output) => output, flush: () => "" };

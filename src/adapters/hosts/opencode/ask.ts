import type { HostAnswer, HostEvent } from "../../../core/host.ts";
import { NO_ANSWER } from "../../../core/host.ts";
import { askProgram } from "../../io/host-program.ts";
import { sessionEntry } from "../../io/host-sessions.ts";
import { answerIn, type PluginPayload } from "./dialect.ts";

/** Hands an event over to whoever decides, and brings the answer. Throws where there is none. */
export type Ask = (session: string, event: HostEvent, arrivedMs: number) => Promise<HostAnswer>;

/** Whether a session has a loop: without one nobody needs to be asked. */
export const hasLoop = (session: string): boolean => sessionEntry({ host: "opencode", id: session }) !== null;

/** Asks our program, one run of it for every event; once `signal` says so, nobody waits for what it answers. */
export function askingProgram([file, ...args]: [string, ...string[]], cwd: string, signal: AbortSignal): Ask {
  return async (id, event, arrivedMs) => {
    const payload: PluginPayload = { session: { id, cwd }, event, arrivedMs };
    const request = { file, args: [...args, "hook", "event", "opencode"], cwd, line: JSON.stringify(payload), signal };
    const { code, stdout, stderr } = await askProgram(request);
    if (signal.aborted) return NO_ANSWER;
    const answer = code === 0 ? answerIn(stdout) : null;
    if (answer) return answer;
    throw new Error(stderr || `${file} ended ${code === null ? "before it was done" : `with exit code ${code}`}`);
  };
}

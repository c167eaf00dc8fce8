import type { HostAnswer, HostEvent } from "../../../core/host.ts";
import { NO_ANSWER } from "../../../core/host.ts";
import { askProgram } from "../../io/host-program.ts";
import { sessionEntry } from "../session-index.ts";
import { answerIn, type PluginPayload } from "./dialect.ts";

/** Sends an event to the program that decides and returns its answer. Throws if there is none. */
export type Ask = (session: string, event: HostEvent, arrivedMs: number) => Promise<HostAnswer>;

/** Whether a session has a loop; without one, the program is not started. */
export const hasLoop = (session: string): boolean => sessionEntry({ host: "opencode", id: session }) !== null;

/** Runs Ralph's program once per event. Its answer is ignored once `signal` has fired. */
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

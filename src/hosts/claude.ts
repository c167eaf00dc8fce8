import { fieldsOf, listOf } from "../agents/json.ts";
import type { HostAnswer, HostDialect } from "../core/host.ts";
import { besidePrompt, noticeOf, stopAnswer, wordsOf } from "./hook-answers.ts";
import { readHook } from "./hook-payload.ts";

/** Claude Code, as its hooks tell of UserPromptSubmit, Stop and SessionEnd. */
export const claude: HostDialect = {
  read(payload) {
    // An agent that waits for others, which go on in the background, comes back by itself.
    if (listOf(fieldsOf(payload).background_tasks).some(isRunning)) return null;
    return readHook(payload, { host: "claude", marks: ["/"], turnKey: "prompt_id" });
  },
  write(answer, event) {
    if (event.type === "session.idle") return stopAnswer(answer);
    return event.type === "command.typed" ? commandAnswer(answer) : "";
  },
};

const isRunning = (task: unknown): boolean => fieldsOf(task).status === "running";

function commandAnswer(answer: HostAnswer): string {
  if (answer.prompt) return JSON.stringify({ ...besidePrompt(answer.prompt.text), ...noticeOf(answer) });
  return JSON.stringify({ decision: "block", reason: wordsOf(answer) });
}

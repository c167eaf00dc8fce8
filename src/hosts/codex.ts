import type { HostAnswer, HostDialect } from "../core/host.ts";
import { besidePrompt, noticeOf, relay, stopAnswer, wordsOf } from "./hook-answers.ts";
import { readHook } from "./hook-payload.ts";

/** Codex, as its hooks tell of UserPromptSubmit, Stop and SessionEnd. A field that it does not know voids an answer. */
export const codex: HostDialect = {
  read: (payload) => readHook(payload, { host: "codex", marks: ["/", "$"], turnKey: "turn_id" }),
  write(answer, event) {
    if (event.type === "session.idle") return stopAnswer(answer);
    return event.type === "command.typed" ? commandAnswer(answer) : "";
  },
};

/** It shows nobody why a prompt was turned away, so its agent has to say what there is to say. */
function commandAnswer(answer: HostAnswer): string {
  if (answer.prompt) return JSON.stringify({ ...besidePrompt(answer.prompt.text), ...noticeOf(answer) });
  return JSON.stringify(besidePrompt(relay(wordsOf(answer))));
}

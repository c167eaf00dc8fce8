import type { HostAnswer, HostDialect } from "../../../core/host.ts";
import { asFields, asText } from "../../agents/json.ts";
import { answerText, besidePrompt, noticeOf, relay, stopAnswer } from "../hook-answers.ts";
import { readHook } from "../hook-payload.ts";
import { withoutRecord, withRecord } from "../session-record.ts";
import { readRollout } from "./rollout.ts";

/** Codex, whose hooks report UserPromptSubmit, Stop and SessionEnd. It rejects an answer with an unknown field. */
export const codexDialect: HostDialect = {
  read: (payload) => readHook(payload, { host: "codex", marks: ["/", "$"], turnKey: "turn_id" }),
  look(payload, event) {
    const { session_id, transcript_path } = asFields(payload);
    const record = event.type === "session.deleted" ? null : readRollout(asText(transcript_path));
    return record ? withRecord(event, asText(session_id), record) : withoutRecord(event);
  },
  write(answer, event) {
    if (event.type === "session.idle") return stopAnswer(answer);
    return event.type === "command.typed" ? commandAnswer(answer) : "";
  },
};

/** Codex does not show why a prompt was refused, so its agent has to say it. */
function commandAnswer(answer: HostAnswer): string {
  if (answer.prompt) return JSON.stringify({ ...besidePrompt(answer.prompt.text), ...noticeOf(answer) });
  return JSON.stringify(besidePrompt(relay(answerText(answer))));
}

import type { HostAnswer, HostDialect, HostEvent } from "../../../core/host.ts";
import { asFields, asList, asText, type JsonFields } from "../../agents/json.ts";
import { environment } from "../../io/environment.ts";
import { sleepSync } from "../../io/stdin.ts";
import { answerText, besidePrompt, noticeOf, stopAnswer } from "../hook-answers.ts";
import { readHook } from "../hook-payload.ts";
import { withoutRecord, withRecord } from "../session-record.ts";
import { type ClaudeRecord, readTranscript } from "./transcript.ts";

/** Claude Code, whose hooks report UserPromptSubmit, Stop and SessionEnd. */
export const claudeDialect: HostDialect = {
  read(payload) {
    // An agent that waits for background tasks continues by itself.
    if (asList(asFields(payload).background_tasks).some(isRunning)) return null;
    return readHook(payload, { host: "claude", marks: ["/"], turnKey: "prompt_id" });
  },
  look(payload, event) {
    const fields = asFields(payload);
    const record = event.type === "session.deleted" ? null : recordOf(fields, event);
    if (!record) return withoutRecord(event);
    const known = withRecord(event, asText(fields.session_id), record);
    return known.type === "session.idle" ? { ...known, ...patienceOf(fields, record) } : known;
  },
  write(answer, event) {
    if (event.type === "session.idle") return stopAnswer(answer);
    return event.type === "command.typed" ? commandAnswer(answer) : "";
  },
};

const isRunning = (task: unknown): boolean => asFields(task).status === "running";

/** Claude Code reports the stop before the agent's last message is in the transcript, so a short wait is worthwhile. */
const LOOKS = 4;
const LOOK_AGAIN_MS = 40;

function recordOf(fields: JsonFields, event: HostEvent): ClaudeRecord | null {
  const path = asText(fields.transcript_path);
  const last = asText(fields.last_assistant_message);
  let record = readTranscript(path);
  if (event.type !== "session.idle") return record;
  for (let look = 1; look < LOOKS && !hasHeard(record, last); look++) {
    sleepSync(LOOK_AGAIN_MS);
    record = readTranscript(path);
  }
  return record;
}

/** A message may contain several texts; the record has the last one. */
const hasHeard = (record: ClaudeRecord | null, message: string): boolean =>
  record !== null && record.lastText !== "" && message.trimEnd().endsWith(record.lastText.trimEnd());

/** The variable that sets how often in a row a hook may keep Claude Code from stopping, and its default. */
export const CAP_VARIABLE = "CLAUDE_CODE_STOP_HOOK_BLOCK_CAP";
export const DEFAULT_CAP = 8;

/** Claude Code lets hooks prevent a stop only a limited number of times in a row; 0 means no limit. */
function patienceOf(
  fields: JsonFields,
  { blocks }: ClaudeRecord,
): Pick<HostEvent & { type: "session.idle" }, "patience"> {
  const set = environment()[CAP_VARIABLE] ?? "";
  const cap = /^\d+$/.test(set) ? Number(set) : DEFAULT_CAP;
  if (cap === 0) return {};
  const wasSentBack = fields.stop_hook_active === true;
  const done = wasSentBack ? blocks : 0;
  const why = `Claude Code continues only ${cap} times in a row without a tool call (${CAP_VARIABLE} raises the limit)`;
  return { patience: { times: Math.max(0, cap - done), why, wasSentBack } };
}

function commandAnswer(answer: HostAnswer): string {
  if (answer.prompt) return JSON.stringify({ ...besidePrompt(answer.prompt.text), ...noticeOf(answer) });
  return JSON.stringify({ decision: "block", reason: answerText(answer) });
}

import type { HostAnswer } from "../../core/host.ts";

/** What a person is shown, where a host shows one line: all the notices in it, and what there is to say of them. */
export function noticeOf({ toasts, says }: HostAnswer): { systemMessage?: string } {
  const more = toasts.some(({ message }) => message === says) ? "" : says;
  const lines = [...toasts.map(({ title, message }) => `${title}: ${message}`), more].filter(Boolean);
  return lines.length === 0 ? {} : { systemMessage: lines.join("\n") };
}

/** What stands beside what a person typed, for the agent. */
export const besidePrompt = (text: string) => ({
  hookSpecificOutput: { hookEventName: "UserPromptSubmit", additionalContext: text },
});

/** The answer to an agent that wants to stop: what it is to do instead, or nothing. */
export function stopAnswer(answer: HostAnswer): string {
  const notice = noticeOf(answer);
  if (answer.prompt) return JSON.stringify({ decision: "block", reason: answer.prompt.text, ...notice });
  return notice.systemMessage === undefined ? "" : JSON.stringify(notice);
}

/** What a person who typed a command is told, where there is nothing for the agent to do. */
export const answerText = (answer: HostAnswer): string =>
  answer.says || noticeOf(answer).systemMessage || "Ralph has nothing to say to that.";

/** Where a host shows its person nothing of ours, the agent has to say what there is to say. */
export const relay = (words: string): string =>
  `The person typed a command of Ralph, which has been dealt with. Do no work now and use no tool: tell the person exactly the following, and nothing else.\n\n${words}`;

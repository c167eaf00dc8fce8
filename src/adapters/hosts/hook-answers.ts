import type { HostAnswer } from "../../core/host.ts";

/** The one line that a host shows the user: all notices and the answer. */
export function noticeOf({ toasts, says }: HostAnswer): { systemMessage?: string } {
  const more = toasts.some(({ message }) => message === says) ? "" : says;
  const lines = [...toasts.map(({ title, message }) => `${title}: ${message}`), more].filter(Boolean);
  return lines.length === 0 ? {} : { systemMessage: lines.join("\n") };
}

/** Context for the agent next to the user's prompt. */
export const besidePrompt = (text: string) => ({
  hookSpecificOutput: { hookEventName: "UserPromptSubmit", additionalContext: text },
});

/** The answer to an agent that is about to stop: what to do instead, or nothing. */
export function stopAnswer(answer: HostAnswer): string {
  const notice = noticeOf(answer);
  if (answer.prompt) return JSON.stringify({ decision: "block", reason: answer.prompt.text, ...notice });
  return notice.systemMessage === undefined ? "" : JSON.stringify(notice);
}

/** The answer to a command that needs no work by the agent. */
export const answerText = (answer: HostAnswer): string =>
  answer.says || noticeOf(answer).systemMessage || "Ralph has no answer to this.";

/** Makes the agent repeat Ralph's answer, for hosts that do not show it to the user. */
export const relay = (words: string): string =>
  `The user typed a Ralph command, which has already been handled. Do not work and do not use tools now: tell the user exactly the following, and nothing else.\n\n${words}`;

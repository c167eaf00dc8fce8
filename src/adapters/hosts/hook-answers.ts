import type { HostAnswer } from "../../core/host.ts";

/** The one line that a host shows its user: all notices, and the answer. */
export function noticeOf({ toasts, says }: HostAnswer): { systemMessage?: string } {
  const more = toasts.some(({ message }) => message === says) ? "" : says;
  const lines = [...toasts.map(({ title, message }) => `${title}: ${message}`), more].filter(Boolean);
  return lines.length === 0 ? {} : { systemMessage: lines.join("\n") };
}

/** Context for the agent beside the prompt that a user typed. */
export const besidePrompt = (text: string) => ({
  hookSpecificOutput: { hookEventName: "UserPromptSubmit", additionalContext: text },
});

/** The answer to an agent that wants to stop: what to do instead, or nothing. */
export function stopAnswer(answer: HostAnswer): string {
  const notice = noticeOf(answer);
  if (answer.prompt) return JSON.stringify({ decision: "block", reason: answer.prompt.text, ...notice });
  return notice.systemMessage === undefined ? "" : JSON.stringify(notice);
}

/** The answer to a user who typed a command, where there is nothing for the agent to do. */
export const answerText = (answer: HostAnswer): string =>
  answer.says || noticeOf(answer).systemMessage || "Ralph has nothing to say to that.";

/** Where a host does not show Ralph's answers to its user, the agent has to repeat them. */
export const relay = (words: string): string =>
  `The person typed a command of Ralph, which has been dealt with. Do no work now and use no tool: tell the person exactly the following, and nothing else.\n\n${words}`;

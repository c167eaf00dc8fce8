/** The messages that are commands rather than requests for a workflow. */
export type ChatCommand = "cancel" | "status" | "help";

const WORDS: Readonly<Record<string, ChatCommand>> = {
  cancel: "cancel",
  stop: "cancel",
  abort: "cancel",
  status: "status",
  help: "help",
  workflows: "help",
  "list workflows": "help",
  "workflow list": "help",
};

/** The command if the whole message is one; otherwise null. */
export function commandOf(text: string): ChatCommand | null {
  const words = text
    .trim()
    .toLowerCase()
    .replace(/^[/!]/, "")
    .replace(/[.!?]+$/, "")
    .replace(/\s+/g, " ");
  return Object.hasOwn(WORDS, words) ? (WORDS[words] ?? null) : null;
}

/** What people can say besides asking for a workflow. */
export type Command = "cancel" | "status" | "help";

const WORDS: Readonly<Record<string, Command>> = {
  cancel: "cancel",
  stop: "cancel",
  abort: "cancel",
  status: "status",
  help: "help",
  workflows: "help",
  "list workflows": "help",
  "workflow list": "help",
};

/** The command that a message is, and nothing else; null: it is none. */
export function commandOf(text: string): Command | null {
  const words = text
    .trim()
    .toLowerCase()
    .replace(/^[/!]/, "")
    .replace(/[.!?]+$/, "")
    .replace(/\s+/g, " ");
  return Object.hasOwn(WORDS, words) ? (WORDS[words] ?? null) : null;
}

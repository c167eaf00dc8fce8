import { createHash } from "node:crypto";
import { HOST_COMMANDS, type HostCommand } from "../../../core/host.ts";

const ABOUT: Readonly<Record<HostCommand, string>> = {
  ralph: "Work on a task in a loop until it is proven done",
  "cancel-ralph": "Stop the Ralph loop of this session",
  "ralph-status": "Show the status of the Ralph loop of this session",
};

const NOT_RUNNING =
  "Ralph's hook answers this command. If you can read this, the hook is not running: tell the user that `ralph hook status` shows why, and do nothing else.";

const BODIES: Readonly<Record<HostCommand, string>> = {
  ralph: `The user asked for a Ralph loop:

$ARGUMENTS

Ralph's hook has added the task, and how to claim completion, beside this message: follow it. If it is missing, the hook is not running: tell the user that \`ralph hook status\` shows why, and do nothing else.`,
  "cancel-ralph": NOT_RUNNING,
  "ralph-status": NOT_RUNNING,
};

/** The files of a host's slash commands. `head`: lines of the file's header, besides the description. */
export const commandTexts = (head: (command: HostCommand) => readonly string[]): { name: string; content: string }[] =>
  HOST_COMMANDS.map((command) => ({
    name: `${command}.md`,
    content: markdown([`description: ${ABOUT[command]}`, ...head(command)], BODIES[command]),
  }));

/** The skill that lets users of Codex type `$ralph`. */
export const skillText = (): string =>
  markdown(
    [
      "name: ralph",
      "description: Only for a message that begins with $ralph, which starts a Ralph loop. Never choose it yourself.",
    ],
    `The user typed \`$ralph\`, a task, and perhaps options. Ralph's hook has added the task, and how to claim completion, beside this message: follow it.

If it is missing, the hook is not running. Tell the user that \`ralph hook status\` shows why, and do nothing else.`,
  );

const markdown = (head: readonly string[], body: string): string =>
  marked(`---\n${head.join("\n")}\n`, (mark) => `# ${mark}\n---\n\n${body}\n`);

export const markedScript = (code: string): string => marked("", (mark) => `// ${mark}\n${code}`);

const MARK = /ralph-engine ([0-9a-f]{12}): written by `ralph hook install`/;
const markOf = (digest: string): string => `ralph-engine ${digest}: written by \`ralph hook install\``;

function marked(before: string, rest: (mark: string) => string): string {
  return `${before}${rest(markOf(digestOf(before + rest(markOf("")))))}`;
}

const digestOf = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 12);

/** Whether a version of Ralph wrote this and it is unchanged: its mark is a digest of the rest. */
export function isOurText(text: string): boolean {
  const unix = unixLines(text);
  const [whole, digest] = MARK.exec(unix) ?? [];
  return whole !== undefined && digestOf(unix.replace(whole, () => markOf(""))) === digest;
}

export const hasOurMark = (text: string): boolean => MARK.test(text);

/** Git may check files out with other line endings than they were written with. */
export const unixLines = (text: string): string => text.replaceAll("\r\n", "\n");

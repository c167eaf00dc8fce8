import { createHash } from "node:crypto";
import { HOST_COMMANDS, type HostCommand } from "../../../core/host.ts";

const ABOUT: Readonly<Record<HostCommand, string>> = {
  ralph: "Work on a task in a loop until it is proven done",
  "cancel-ralph": "Stop the Ralph loop of this session",
  "ralph-status": "Tell how the Ralph loop of this session is getting on",
};

const NOT_RUNNING =
  "Ralph's hook answers this by itself. If you can read this, it is not running: tell the person that `ralph hook status` shows why, and do nothing else.";

const BODIES: Readonly<Record<HostCommand, string>> = {
  ralph: `A Ralph loop was asked for, with these words:

$ARGUMENTS

Ralph's hook has put the task, and how to claim that it is done, beside this message: do what that says. If nothing of the kind is there, the hook is not running: tell the person that \`ralph hook status\` shows why, and do nothing else.`,
  "cancel-ralph": NOT_RUNNING,
  "ralph-status": NOT_RUNNING,
};

/** The files of a host's slash commands; `head`: what the host has in the head of one, besides its description. */
export const commandTexts = (head: (command: HostCommand) => readonly string[]): { name: string; content: string }[] =>
  HOST_COMMANDS.map((command) => ({
    name: `${command}.md`,
    content: markdown([`description: ${ABOUT[command]}`, ...head(command)], BODIES[command]),
  }));

/** The skill that lets people of Codex type `$ralph`. */
export const skillText = (): string =>
  markdown(
    [
      "name: ralph",
      "description: Only for a message that begins with $ralph, which starts a Ralph loop. Never choose it yourself.",
    ],
    `The person has typed \`$ralph\`, a task, and perhaps options. Ralph's hook has put the task, and how to claim that it is done, beside this message: do what that says.

If nothing of the kind is there, the hook is not running. Tell the person that \`ralph hook status\` shows why, and do nothing else.`,
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

/** Whether a version of Ralph wrote this, and it is unchanged: its mark is a digest of the rest. */
export function isOurText(text: string): boolean {
  const unix = unixLines(text);
  const [whole, digest] = MARK.exec(unix) ?? [];
  return whole !== undefined && digestOf(unix.replace(whole, () => markOf(""))) === digest;
}

export const hasOurMark = (text: string): boolean => MARK.test(text);

/** Git may check files out with other line ends than they were written with. */
export const unixLines = (text: string): string => text.replaceAll("\r\n", "\n");

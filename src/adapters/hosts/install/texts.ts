import { createHash } from "node:crypto";
import { HOST_COMMANDS, type HostCommand, type KnownHost } from "../../../core/host.ts";

const HINT =
  '"<task> [--verify <command>] [--max-iterations <n>] [--completion-promise <text>] [--max-cost <usd>] [--timeout <time>] [--resume <loop>]"';

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

/** The file of a slash command of a host's. Only people may use one: Claude Code offers them to its model otherwise. */
function commandText(command: HostCommand, host: KnownHost): string {
  const lines = [`description: ${ABOUT[command]}`];
  if (host === "claude") {
    if (command === "ralph") lines.push(`argument-hint: ${HINT}`);
    lines.push("disable-model-invocation: true");
  }
  return markdown(lines, BODIES[command]);
}

export const commandTexts = (host: KnownHost): { name: string; content: string }[] =>
  HOST_COMMANDS.map((command) => ({ name: `${command}.md`, content: commandText(command, host) }));

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

/** A program with our mark in its first line. */
export const markedScript = (code: string): string => marked("", (mark) => `// ${mark}\n${code}`);

const MARK = /ralph-engine ([0-9a-f]{12}): written by `ralph hook install`/;
const markOf = (digest: string): string => `ralph-engine ${digest}: written by \`ralph hook install\``;

function marked(before: string, rest: (mark: string) => string): string {
  return `${before}${rest(markOf(digestOf(before + rest(markOf("")))))}`;
}

const digestOf = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 12);

/** Whether some version of us wrote this, and nobody has changed it since: its mark is a digest of the rest. */
export function isOurText(text: string): boolean {
  const unix = unixLines(text);
  const [whole, digest] = MARK.exec(unix) ?? [];
  return whole !== undefined && digestOf(unix.replace(whole, () => markOf(""))) === digest;
}

/** Whether we wrote this once, changed or not. */
export const hasOurMark = (text: string): boolean => MARK.test(text);

/** Git may check files out with other line ends than they were written with. */
export const unixLines = (text: string): string => text.replaceAll("\r\n", "\n");

import type { Answer, Call } from "./dialect.ts";

/** The work of a script step, independent of any CLI. */
export type Work = { write: { path: string; content: string } } | { run: string };

type Input = Record<string, unknown>;

/** The tools of the CLIs by name; the first one that a request offers is called. */
const WRITE: Record<string, (path: string, content: string) => Input> = {
  Write: (file_path, content) => ({ file_path, content }),
  write: (filePath, content) => ({ filePath, content }),
  write_file: (file_path, content) => ({ file_path, content }),
  exec_command: (path, content) => ({ cmd: `printf %s ${quoted(content)} > ${quoted(path)}` }),
};
const RUN: Record<string, (command: string) => Input> = {
  Bash: (command) => ({ command, description: "a scripted step" }),
  bash: (command) => ({ command, description: "a scripted step" }),
  run_shell_command: (command) => ({ command, description: "a scripted step", is_background: false }),
  exec_command: (cmd) => ({ cmd }),
};

/** Whether a request is a side request: titles and routing come without tools, Qwen Code's memory says so. */
export const isAside = ({ tools, messages }: Call): boolean =>
  tools.length === 0 || (messages.at(-1)?.text ?? "").startsWith("Managed memory");

/** The call that does the work with the offered tools. */
export function toolCall(work: Work, offered: readonly string[]): NonNullable<Answer["tool"]> {
  const known = "write" in work ? WRITE : RUN;
  const name = offered.find((one) => one in known);
  if (!name) throw new Error(`none of the tools offered can do it: ${offered.join(", ")}`);
  if ("write" in work) return { name, input: WRITE[name]?.(work.write.path, work.write.content) ?? {} };
  return { name, input: RUN[name]?.(work.run) ?? {} };
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

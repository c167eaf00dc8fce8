import { HOST_COMMANDS, type HostCommand } from "../../core/host.ts";

/** A plugin's commands carry its name in front of theirs. */
const TYPED = new RegExp(`^\\s*([/$])(?:ralph:)?(${HOST_COMMANDS.join("|")})(?:\\s+([\\s\\S]*))?$`);

/** The command of ours that a person typed, with all that stands behind it; null: none. `marks`: what one begins with. */
export function typedCommand(
  prompt: string,
  marks: readonly string[],
): { command: HostCommand; arguments: string } | null {
  const [, mark = "", name, rest = ""] = TYPED.exec(prompt) ?? [];
  const command = HOST_COMMANDS.find((one) => one === name);
  return command && marks.includes(mark) ? { command, arguments: rest.trim() } : null;
}

import { checkAgent } from "../../adapters/agents/agent.ts";
import { RalphError } from "../../core/errors.ts";
import { paint } from "./paint.ts";
import type { QuestionTerminal } from "./terminal.ts";

/** Asks for the agent until there is one that can be started; null when that is to be decided later. */
export async function chooseAgent(
  terminal: QuestionTerminal,
  found: readonly string[],
  cwd: string,
): Promise<string | null> {
  terminal.say(found.length > 0 ? choiceOf(found) : NONE_FOUND);
  const question = found.length > 0 ? "  Number or command [1]: " : "  Command, or scripted [decide later]: ";
  while (true) {
    const answer = await terminal.ask(question);
    if (answer === "") return found[0] ?? null;
    const command = /^\d+$/.test(answer) ? found[Number(answer) - 1] : answer;
    const problem = command === undefined ? `there is no ${answer} in the list` : problemOf(command, cwd);
    if (problem === null && command !== undefined) return command;
    terminal.say(`  ${problem}`);
  }
}

const choiceOf = (found: readonly string[]): string => `${paint("bold", "Which agent does the work?")}
${found.map((agent, i) => `  ${i + 1}  ${paint("cyan", agent)}`).join("\n")}
  Any other command may be typed; scripted rehearses a scenario and costs nothing.`;

const NONE_FOUND = `${paint("bold", "No agent was found on PATH.")} Install one and run this again, for example
  npm install -g @anthropic-ai/claude-code
  npm install -g @openai/codex
  npm install -g @google/gemini-cli
or name any other command; scripted rehearses a scenario and costs nothing.`;

function problemOf(command: string, cwd: string): string | null {
  try {
    checkAgent({ command }, cwd);
    return null;
  } catch (error) {
    if (!(error instanceof RalphError)) throw error;
    return `${error.message}: ${error.hint}`;
  }
}

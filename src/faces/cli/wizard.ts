import type { Proposal } from "../../core/init/detect.ts";
import type { Answers } from "../../core/init/draft.ts";
import { editPermissionOf } from "../../core/init/permissions.ts";
import { chooseAgent } from "./ask-agent.ts";
import { paint } from "./paint.ts";
import type { Detected } from "./setup/project.ts";
import type { QuestionTerminal } from "./terminal.ts";

interface WizardSetting {
  cwd: string;
  detected: Detected;
  /** What Enter takes. */
  proposed: Answers;
  /** Whether the agent was named on the command line. */
  agentGiven: boolean;
}

/** Asks what the settings need. Asking is all it does: what follows from the answers is decided elsewhere. */
export async function askAnswers(terminal: QuestionTerminal, setting: WizardSetting): Promise<Answers> {
  const { detected, proposed, agentGiven } = setting;
  terminal.say(`${INTRODUCTION}\n`);
  const agent = agentGiven ? proposed.agent : await chooseAgent(terminal, detected.agents, setting.cwd);
  const mayEdit = await askPermission(terminal, agent);
  const verify = await askCommands(terminal, { ...PROOF, proposals: detected.verify });
  const guardrails = await askCommands(terminal, { ...GUARDRAILS, proposals: detected.guardrails });
  const commit = detected.git && (await askCommit(terminal));
  terminal.say("");
  const maxIterations = await askNumber(terminal, "At most how many iterations?", proposed.maxIterations);
  return { agent, mayEdit, verify, guardrails, commit, maxIterations };
}

const INTRODUCTION = `${paint("bold", "Settings for this repository")}: which agent works, and what proves that it is done.
Enter takes what stands in brackets, Ctrl-C leaves. Nothing is written before you have seen it.`;

async function askPermission(terminal: QuestionTerminal, agent: string | null): Promise<boolean> {
  const permission = agent === null ? null : editPermissionOf(agent);
  if (!permission) return false;
  terminal.say(`
${paint("bold", `May ${agent} edit files without asking?`)} In a loop nobody is there to answer it.
  Yes adds ${paint("cyan", permission.flag)}:
  ${permission.means}.`);
  return askYesNo(terminal, "Edit without asking?", false);
}

interface CommandsQuestion {
  title: string;
  means: string;
  /** Asked for each proposal. */
  use: string;
  none: string;
  proposals: readonly Proposal[];
}

const PROOF = {
  title: "Proof",
  means: "commands that must exit 0 before a loop may end; without any, the agent's word ends it.",
  use: "Must it pass?",
  none: "No test command was found here.",
};
const GUARDRAILS = {
  title: "Guardrails",
  means: "commands run after every iteration; the agent is told what failed.",
  use: "Run it every time?",
  none: "No linter or type check was found here.",
};

async function askCommands(terminal: QuestionTerminal, question: CommandsQuestion): Promise<string[]> {
  const { title, means, use, none, proposals } = question;
  terminal.say(`\n${paint("bold", title)}: ${means}`);
  if (proposals.length === 0) terminal.say(`  ${none}`);
  const chosen: string[] = [];
  for (const { command, from } of proposals) {
    terminal.say(`  ${paint("cyan", command)}  (from ${from})`);
    if (await askYesNo(terminal, use, true)) chosen.push(command);
  }
  while (true) {
    const command = await terminal.ask(`  ${chosen.length > 0 ? "Another command" : "A command"} [none]: `);
    if (command === "" || command === "none") return chosen;
    if (!chosen.includes(command)) chosen.push(command);
  }
}

async function askCommit(terminal: QuestionTerminal): Promise<boolean> {
  terminal.say(`\n${paint("bold", "Commits")}: all that changed, after every iteration whose guardrails pass.`);
  return askYesNo(terminal, "Commit?", false);
}

/** Asks until the answer is one of the two. */
export async function askYesNo(terminal: QuestionTerminal, question: string, otherwise: boolean): Promise<boolean> {
  while (true) {
    const answer = (await terminal.ask(`  ${question} [${otherwise ? "Y/n" : "y/N"}]: `)).toLowerCase();
    if (answer === "") return otherwise;
    if (["y", "yes", "n", "no"].includes(answer)) return answer.startsWith("y");
    terminal.say("  Please answer y or n.");
  }
}

async function askNumber(terminal: QuestionTerminal, question: string, otherwise: number): Promise<number> {
  while (true) {
    const answer = await terminal.ask(`${paint("bold", question)} [${otherwise}]: `);
    if (answer === "") return otherwise;
    const number = Number(answer);
    if (/^\d+$/.test(answer) && Number.isSafeInteger(number) && number > 0) return number;
    terminal.say("  Please give a whole number from 1.");
  }
}

import { checkAgent, knownKinds } from "../../../adapters/agents/agent.ts";
import { agentNamed } from "../../../adapters/agents/chosen-agents.ts";
import { RalphError } from "../../../core/errors.ts";
import type { Proposal } from "../../../core/init/detect.ts";
import type { Access, Answers, ChosenAgent, Permission } from "../../../core/init/draft.ts";
import { paint } from "../../terminal/paint.ts";
import type { QuestionTerminal } from "../output/terminal.ts";
import { chosenAgent, type Detected } from "./project.ts";

interface WizardSetting {
  cwd: string;
  detected: Detected;
  /** The defaults, for Enter. */
  proposed: Answers;
  agentGiven: boolean;
}

/** Asks the questions for the settings, and only returns the answers. */
export async function askAnswers(terminal: QuestionTerminal, setting: WizardSetting): Promise<Answers> {
  const { detected, proposed, agentGiven } = setting;
  terminal.say(`${INTRODUCTION}\n`);
  const agent = agentGiven ? proposed.agent : await askAgent(terminal, setting);
  const access = await askAccess(terminal, agent);
  const verify = await askCommands(terminal, { ...PROOF, proposals: detected.verify });
  const guardrails = await askCommands(terminal, { ...GUARDRAILS, proposals: detected.guardrails });
  const scope = await askScope(terminal, detected.scope);
  const commit = detected.git && (await askCommit(terminal));
  terminal.say("");
  const maxIterations = await askNumber(terminal, "At most how many iterations?", proposed.maxIterations);
  return { agent, access, verify, guardrails, scope, commit, maxIterations };
}

const INTRODUCTION = `${paint("bold", "Settings for this repository")}: which agent works, and what proves that it is done.
Press Enter for the value in brackets, Ctrl-C to quit. Nothing is written until you confirm.`;

/** Asks for the agent until it can be started; null to decide later. */
async function askAgent(terminal: QuestionTerminal, setting: WizardSetting): Promise<ChosenAgent | null> {
  const { cwd, proposed } = setting;
  const found = setting.detected.agents;
  terminal.say(found.length > 0 ? choiceOf(found) : await noneFound());
  const question = found.length > 0 ? "  Number or command [1]: " : "  Command, or scripted [decide later]: ";
  while (true) {
    const answer = await terminal.ask(question);
    if (answer === "") return proposed.agent;
    const command = /^\d+$/.test(answer) ? found[Number(answer) - 1] : answer;
    const problem = command === undefined ? `there is no ${answer} in the list` : problemOf(command, cwd);
    if (problem === null && command !== undefined) return chosenAgent(command, undefined, cwd);
    terminal.say(`  ${problem}`);
  }
}

const choiceOf = (found: readonly string[]): string => `${paint("bold", "Which agent does the work?")}
${found.map((agent, i) => `  ${i + 1}  ${paint("cyan", agent)}`).join("\n")}
  Any other command may be typed; scripted plays a scenario, free of charge.`;

const noneFound = async (): Promise<string> =>
  `${paint("bold", "No agent was found on PATH.")} Install one and run this again:
${(await knownKinds()).map(({ npmPackage }) => `  npm install -g ${npmPackage}`).join("\n")}
or name any other command; scripted plays a scenario, free of charge.`;

function problemOf(command: string, cwd: string): string | null {
  try {
    checkAgent(agentNamed(command, [], cwd), cwd);
    return null;
  } catch (error) {
    if (!(error instanceof RalphError)) throw error;
    return error.text(": ");
  }
}

/** Asks what the agent may do without asking. An agent without a flag short of everything is given none by default. */
async function askAccess(terminal: QuestionTerminal, agent: ChosenAgent | null): Promise<Access> {
  if (!agent?.permissions) return "edit";
  const { edit, everything } = agent.permissions;
  const work = edit([]);
  if (work?.flags.length === 0) return "edit";
  const flags = (permission: Permission) => paint("cyan", permission.flags.join(" "));
  const choices: [Access, string][] = [
    ...(work ? [["edit", `edit files and run your check commands: ${flags(work)} …`] as [Access, string]] : []),
    ["everything", `everything, without asking: ${flags(everything)}\n     ${everything.means}`],
    ["read", "nothing: it can only read, unless its own settings allow more"],
  ];
  terminal.say(`
${paint("bold", `What may ${agent.command} do without asking?`)} In a loop there is no user to answer.
${choices.map(([, words], i) => `  ${i + 1}  ${words}`).join("\n")}`);
  const usual = work ? 1 : choices.length;
  while (true) {
    const answer = (await terminal.ask(`  Number [${usual}]: `)) || String(usual);
    const chosen = /^\d$/.test(answer) ? choices[Number(answer) - 1] : undefined;
    if (chosen) return chosen[0];
    terminal.say(`  Please enter a number from 1 to ${choices.length}.`);
  }
}

interface CommandsQuestion {
  title: string;
  means: string;
  /** The question for each proposal. */
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
  means: "commands run after every iteration; failures are reported to the agent.",
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

async function askScope(terminal: QuestionTerminal, proposed: readonly string[]): Promise<readonly string[]> {
  if (proposed.length === 0) return [];
  terminal.say(`
${paint("bold", "Scope")}: the only paths that the agent may change; a completion with any other change is refused.
  ${paint("cyan", proposed.join("  "))}   (+ new files only)`);
  return (await askYesNo(terminal, "Limit the agent to these?", true)) ? proposed : [];
}

async function askCommit(terminal: QuestionTerminal): Promise<boolean> {
  terminal.say(`\n${paint("bold", "Commits")}: all that changed, after every iteration whose guardrails pass.`);
  return askYesNo(terminal, "Commit?", false);
}

/** Asks until the answer is yes or no. */
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
    terminal.say("  Please enter a whole number, 1 or more.");
  }
}

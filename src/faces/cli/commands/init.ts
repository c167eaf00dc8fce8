import { join } from "node:path";
import { checkAgent, SCRIPTED } from "../../../adapters/agents/agent.ts";
import { agentNamed } from "../../../adapters/agents/chosen-agents.ts";
import { EXIT, RalphError } from "../../../core/errors.ts";
import { type Answers, defaultAnswers, remarksOn, settingsFrom } from "../../../core/init/draft.ts";
import type { Settings } from "../../../core/schema/settings.ts";
import { paint } from "../../terminal/paint.ts";
import { type Cli, ralphCommand } from "../context.ts";
import { openTerminal } from "../output/terminal.ts";
import { isThere, refuseExisting, SETTINGS, schemaPlace, settingsText, writeInit } from "../setup/init.ts";
import { refuseChanged, writeClaude } from "../setup/init-claude.ts";
import { chosenAgent, type Detected, detectProject } from "../setup/project.ts";
import { askAnswers, askYesNo } from "../setup/wizard.ts";

interface InitOptions {
  yes?: boolean;
  agent?: string;
  force?: boolean;
  claude?: boolean;
  json?: boolean;
}

export async function initCommand(cli: Cli, options: InitOptions): Promise<number> {
  const cwd = cli.cwd();
  const { agent, claude = false, force = false, json = false } = options;
  if (claude) refuseChanged(cwd, { force });
  // With --claude alone, existing settings are not changed.
  if (!claude || agent !== undefined || !isThere(join(cwd, SETTINGS))) return initSettings(cli, cwd, options);
  const written = writeClaude(cwd, { force });
  if (json) cli.printJson({ written });
  else cli.printWords(claudeOutcome(written));
  return EXIT.verified;
}

async function initSettings(cli: Cli, cwd: string, options: InitOptions): Promise<number> {
  const { yes = false, agent, force = false, claude = false, json = false } = options;
  refuseExisting(cwd, { force });
  if (agent !== undefined) checkAgent(agentNamed(agent, [], cwd), cwd);
  if (!yes) requireTerminal(cli);
  const detected = await detectProject(cwd);
  const chosen = agent ?? detected.agents[0];
  const proposed = defaultAnswers(detected, chosen === undefined ? null : await chosenAgent(chosen, undefined, cwd));
  const schema = schemaPlace(cwd);
  const draft = (answers: Answers) => settingsFrom(answers, schema.reference);
  const answers = yes
    ? proposed
    : await confirmed(cli, { cwd, detected, proposed, agentGiven: agent !== undefined, draft });
  if (answers === null) {
    cli.report("Nothing was written.");
    return EXIT.stopped;
  }
  const settings = draft(answers);
  const written = writeInit(cwd, { settings, schema, force });
  if (claude) written.push(...writeClaude(cwd, { force }));
  if (json) cli.printJson({ written, settings, detected });
  else cli.printWords(outcome(cli, { answers, settings, detected, written, shown: !yes }));
  return EXIT.verified;
}

function requireTerminal({ canAsk }: Cli): void {
  if (canAsk) return;
  throw new RalphError("no-terminal", "ralph init asks questions, and this is not a terminal", {
    hint: "`ralph init --yes` uses the defaults and asks nothing",
  });
}

type Asked = Parameters<typeof askAnswers>[1] & { draft(answers: Answers): Settings };

/** The answers that the user has confirmed; null if the settings must not be written. */
async function confirmed(cli: Cli, { draft, ...setting }: Asked): Promise<Answers | null> {
  const terminal = openTerminal(cli);
  try {
    const answers = await askAnswers(terminal, setting);
    terminal.say(`\n${paint("bold", SETTINGS)}\n${settingsText(draft(answers))}`);
    return (await askYesNo(terminal, "Write it?", true)) ? answers : null;
  } finally {
    terminal.close();
  }
}

function claudeOutcome(written: readonly string[]): string {
  const what = written.length > 0 ? `wrote ${written.join(", ")}` : "everything already exists";
  return `${paint("green", "✓")} ${what}\n${CLAUDE_NEXT}`;
}

const CLAUDE_NEXT = "  In Claude Code, /specflow.tasks <spec id> <file or words> writes tasks with criteria.";

/** Without questions nothing is limited, but the user learns that it could be. */
const scopeRemark = (scope: readonly string[]): string[] =>
  scope.length === 0
    ? []
    : [`the agent may change every file; to limit it: "completion": { "scope": ${JSON.stringify(scope)} }`];

interface Outcome {
  answers: Answers;
  settings: Settings;
  detected: Detected;
  written: readonly string[];
  shown: boolean;
}

function outcome(cli: Cli, { answers, settings, detected, written, shown }: Outcome): string {
  const more =
    answers.agent?.command === SCRIPTED ? " --scenario <file>" : answers.agent === null ? " --agent <command>" : "";
  const run = `${ralphCommand(cli)} run "…"${more}`;
  const remarks = [...detected.notes, ...remarksOn(answers), ...(shown ? [] : scopeRemark(detected.scope))].map(
    (remark) => `${paint("yellow", "!")} ${remark}`,
  );
  return [
    `${paint("green", "✓")} wrote ${written.join(", ")}`,
    ...(shown ? [] : [settingsText(settings).trimEnd()]),
    ...remarks,
    `\n${paint("bold", "What to do next")}`,
    `  ${run} --dry-run   shows what would be done`,
    `  ${run}             starts the loop`,
    ...(written.some((path) => path.startsWith(".claude/")) ? [CLAUDE_NEXT] : []),
  ].join("\n");
}

import { EXIT, RalphError } from "../../core/errors.ts";
import { type Answers, defaultAnswers, remarksOn, settingsFrom } from "../../core/init/draft.ts";
import type { Settings } from "../../core/schema/settings.ts";
import { checkAgent, SCRIPTED } from "../../wire/agent.ts";
import { refuseExisting, SETTINGS, schemaPlace, settingsText, writeInit } from "../../wire/init.ts";
import { type Detected, detectProject } from "../../wire/project.ts";
import { ralphCommand } from "../invocation.ts";
import { paint } from "../paint.ts";
import { printJson, printWords, tell } from "../print.ts";
import { onTerminal, openTerminal } from "../terminal.ts";
import { askAnswers, askYesNo } from "../wizard.ts";

interface InitOptions {
  yes?: boolean;
  agent?: string;
  force?: boolean;
  json?: boolean;
}

/** `ralph init`. */
export async function initCommand({ yes = false, agent, force = false, json = false }: InitOptions): Promise<number> {
  const cwd = process.cwd();
  refuseExisting(cwd, { force });
  if (agent !== undefined) checkAgent({ command: agent }, cwd);
  if (!yes) requireTerminal();
  const detected = await detectProject(cwd);
  const proposed = defaultAnswers(detected, agent === undefined ? detected.agents : [agent]);
  const schema = schemaPlace(cwd);
  const draft = (answers: Answers) => settingsFrom(answers, schema.reference);
  const answers = yes ? proposed : await confirmed({ cwd, detected, proposed, agentGiven: agent !== undefined, draft });
  if (answers === null) {
    tell("Nothing was written.");
    return EXIT.stopped;
  }
  const settings = draft(answers);
  const written = writeInit(cwd, { settings, schema, force });
  if (json) printJson({ written, settings, detected });
  else printWords(outcome({ answers, settings, detected, written, shown: !yes }));
  return EXIT.verified;
}

function requireTerminal(): void {
  if (onTerminal()) return;
  throw new RalphError("no-terminal", "ralph init asks questions, and this is no terminal", {
    hint: "`ralph init --yes` takes the defaults and asks nothing",
  });
}

type Asked = Parameters<typeof askAnswers>[1] & { draft(answers: Answers): Settings };

/** The answers of a person who has seen what they lead to; null when it was not to be written. */
async function confirmed({ draft, ...setting }: Asked): Promise<Answers | null> {
  const terminal = openTerminal();
  try {
    const answers = await askAnswers(terminal, setting);
    terminal.say(`\n${paint("bold", SETTINGS)}\n${settingsText(draft(answers))}`);
    return (await askYesNo(terminal, "Write it?", true)) ? answers : null;
  } finally {
    terminal.close();
  }
}

interface Outcome {
  answers: Answers;
  settings: Settings;
  detected: Detected;
  written: readonly string[];
  /** Whether the settings were on the screen already. */
  shown: boolean;
}

function outcome({ answers, settings, detected, written, shown }: Outcome): string {
  const more = answers.agent === SCRIPTED ? " --scenario <file>" : answers.agent === null ? " --agent <command>" : "";
  const run = `${ralphCommand()} run --prompt "…"${more}`;
  const remarks = [...detected.notes, ...remarksOn(answers)].map((remark) => `${paint("yellow", "!")} ${remark}`);
  return [
    `${paint("green", "✓")} wrote ${written.join(", ")}`,
    ...(shown ? [] : [settingsText(settings).trimEnd()]),
    ...remarks,
    `\n${paint("bold", "What to do next")}`,
    `  ${run} --dry-run   shows what would be done`,
    `  ${run}             starts the loop`,
  ].join("\n");
}

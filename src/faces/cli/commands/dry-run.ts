import { loopWork } from "../../../adapters/git/task-refs.ts";
import { uncommittedFiles } from "../../../adapters/git/tracked.ts";
import { printable } from "../../../core/ansi.ts";
import { timeWords } from "../../../core/duration.ts";
import { EXIT } from "../../../core/errors.ts";
import { counted, firstOf } from "../../../core/excerpt.ts";
import { earlierWords } from "../../../core/loop/left-out.ts";
import { SCOPE_HINT, unprotectedWords } from "../../../core/loop/notes.ts";
import type { Effect, Guardrail, Limits, Recipient } from "../../../core/loop/spec.ts";
import { worktreeName } from "../../../core/loop/worktree-name.ts";
import { leafWords } from "../../../core/proof/methods.ts";
import { leavesOf } from "../../../core/proof/proof.ts";
import { conditionWords } from "../../../core/proof/words.ts";
import { readableText } from "../../../core/render.ts";
import { dollars } from "../../../core/usage.ts";
import type { HarnessLoop } from "../../../doors/harness/open.ts";
import { type AgentPlan, type LoopPlan, PROMPT_HERE, type Problem, planLoop } from "../../../runtime/dry-run.ts";
import { paint } from "../../terminal/paint.ts";
import type { Cli, JsonOption } from "../context.ts";
import { uncommittedWords } from "../views/worktree-lines.ts";

/** `ralph run --dry-run`. A loop that cannot start is described too, with the exit code of the real one. */
export async function dryRunCommand(cli: Cli, loop: HarnessLoop, { json = false }: JsonOption): Promise<number> {
  const plan: RunPlan = { ...(await planLoop(loop)), ...(await worktreePlan(loop)) };
  if (json) cli.printJson(plan);
  else await printPlan(cli, plan);
  reportUnprotected(cli, plan.unprotected);
  return reportProblems(cli, plan.problems);
}

interface RunPlan extends LoopPlan {
  newWorktree?: { branch: string; merge: boolean; uncommitted: readonly string[] };
}

async function worktreePlan({ worktree, spec }: HarnessLoop): Promise<Pick<RunPlan, "newWorktree">> {
  if (!worktree) return {};
  const branch = loopWork(worktreeName(worktree.name, { title: spec.title, id: "<id>" }));
  return { newWorktree: { branch, merge: worktree.merge, uncommitted: await uncommittedFiles(spec.cwd) } };
}

const worktreeRow = ({ newWorktree }: RunPlan): Row[] =>
  newWorktree
    ? [
        [
          "worktree",
          [
            `a new one, on the branch ${newWorktree.branch}`,
            ...(newWorktree.uncommitted.length > 0 ? [uncommittedWords(newWorktree.uncommitted)] : []),
            newWorktree.merge ? "merged into the current branch, if the loop completes" : "not merged at the end",
          ],
        ],
      ]
    : [];

function reportUnprotected(cli: Cli, commands: readonly string[]): void {
  if (commands.length === 0) return;
  cli.report(`${paint("yellow", "warning:")} ${printable(unprotectedWords(commands))}\n  help: ${SCOPE_HINT}`);
}

/** Reports why it could not start, and returns the exit code. */
export function reportProblems(cli: Cli, problems: readonly Problem[]): number {
  for (const { message, hint } of problems) {
    cli.report(`${paint("yellow", "warning:")} ${printable(message)}${hint ? `\n  help: ${printable(hint)}` : ""}`);
  }
  return problems.length > 0 ? EXIT.usage : EXIT.verified;
}

async function printPlan(cli: Cli, plan: RunPlan): Promise<void> {
  cli.printLine(DRY_RUN);
  printRows(cli, [...rowsOf(plan), ...worktreeRow(plan)]);
  const from = plan.promptFile ? ` (from ${printable(plan.promptFile)}, read again for every iteration)` : "";
  await printPrompt(cli, plan.laterPrompt ?? plan.prompt, `the prompt of iteration 1${from}`);
}

export const DRY_RUN = `${paint("bold", "Dry run")}: nothing was started, nothing was written.`;

/** A name and its lines. */
export type Row = [string, string[]];

export function printRows(cli: Cli, rows: readonly Row[]): void {
  for (const [name, lines] of rows) {
    const [first = "none", ...more] = lines.map(printable);
    cli.printLine(
      `${paint("dim", name.padEnd(11))} ${first}${more.map((line) => `\n${"".padEnd(11)} ${line}`).join("")}`,
    );
  }
}

export async function printPrompt(cli: Cli, prompt: string, title: string): Promise<void> {
  cli.printLine(`\n${paint("bold", `── ${title} ──`)}`);
  await cli.print(`${readableText().pass(prompt)}\n`);
}

/** What a loop does, except its prompt. */
export const rowsOf = (plan: LoopPlan): Row[] => [
  ["task", [plan.title]],
  ["folder", [plan.cwd]],
  ["settings", [...plan.settingsFiles]],
  ["agent", plan.agents.map(agentWords)],
  ["context", [plan.context === "fresh" ? "fresh: every iteration in a new session" : "continue: one session for all"]],
  ["completion", [completionWords(plan)]],
  ["guardrails", plan.guardrails.map(guardrailWords)],
  ["checks", leavesOf(plan.proof.stages).map(leafWords)],
  ...unlessEmpty("tests", [...plan.uncounted]),
  ...unlessEmpty("conditions", conditionWords(plan.proof)),
  [
    "scm",
    [...plan.effects.map((effect) => effectWords(effect, plan)), ...(plan.earlier ? [earlierWords(plan.earlier)] : [])],
  ],
  ["limits", limitWords(plan.limits)],
  ["time-outs", timeoutWords(plan)],
  [
    "feedback",
    [
      `at most ${counted(plan.outputTruncateChars, "character")} of a command's output, ${plan.feedbackMaxChars} in all`,
    ],
  ],
  ["notify", plan.notify.map(recipientWords)],
  ...unlessEmpty("anchor", plan.anchor ? ["webhook" in plan.anchor ? plan.anchor.webhook : plan.anchor.command] : []),
  ["protected", firstOf(plan.fingerprinted, MOST_NAMES)],
];

const unlessEmpty = (name: string, lines: string[]): Row[] => (lines.length > 0 ? [[name, lines]] : []);

export function agentWords({ commandLine, prompt, output }: AgentPlan): string {
  const line = commandLine.map(quoted).join(" ");
  return `${line}${prompt === "stdin" ? "  <prompt on stdin>" : ""}${output === "text" ? "  (plain text)" : ""}`;
}

/** A word quoted for the shell; the placeholder for the prompt stays readable. */
function quoted(word: string): string {
  if (word === PROMPT_HERE || /^[\w@%+=:,./-]+$/.test(word)) return word;
  return `'${word.replaceAll("'", "'\\''")}'`;
}

function completionWords({ completion, proof: { stages }, guardrails }: LoopPlan): string {
  const tags = completion.tags.map((tag) => `<${tag}>${completion.promise}</${tag}>`).join(" or ");
  const proof = [...(guardrails.length ? ["guardrails"] : []), ...(stages.length ? ["checks"] : [])];
  return `${tags}, then ${proof.length ? `${proof.join(" and ")} decide` : "nothing checks it (promise-only)"}`;
}

function guardrailWords({ command, failAction, timeoutMs, parallel, hint }: Guardrail): string {
  const facts = [failAction, `at most ${timeWords(timeoutMs)}`, ...(parallel ? ["parallel"] : [])];
  return `${command}  (${[...facts, ...(hint ? [`hint: ${hint}`] : [])].join(", ")})`;
}

function effectWords({ kind, program, args, when }: Effect, { commitMessage }: LoopPlan): string {
  const message =
    kind === "commit" ? `, message ${commitMessage === "title" ? "from the task's title" : "by the agent"}` : "";
  const moment = when === "guarded" ? "when guardrails pass, before the verdict" : "after the verdict";
  return `${[program, ...args].map(quoted).join(" ")}  (${moment}${message})`;
}

function limitWords(limits: Limits): string[] {
  const { maxIterations, maxCostUsd, maxTokens, maxMs, maxWaitMs, stuckAfter, maxFailures, maxTampers } = limits;
  const most = (limit: number | null, words: (limit: number) => string, none: string) =>
    limit === null ? none : words(limit);
  return [
    most(maxIterations, (n) => counted(n, "iteration"), "any number of iterations"),
    most(maxCostUsd, dollars, "any cost"),
    most(maxTokens, (n) => counted(n, "token"), "any number of tokens"),
    most(maxMs, (ms) => `${timeWords(ms)} of working time`, "any working time"),
    most(maxWaitMs, (ms) => `${timeWords(ms)} of waiting for one usage limit`, "any wait"),
    most(stuckAfter, (n) => `stuck after ${counted(n, "iteration")} without progress`, "never stuck"),
    `${counted(maxFailures, "failure")} of the agent in a row, ${counted(maxTampers, "tampered claim")}`,
  ];
}

const timeoutWords = ({ patience: { iterationTimeoutMs, idleTimeoutMs, graceMs } }: LoopPlan): string[] => [
  `an iteration ${timeWords(iterationTimeoutMs)}, silence ${timeWords(idleTimeoutMs)}, grace ${timeWords(graceMs)}`,
];

const recipientWords = ({ on, run }: Recipient): string =>
  `${on.join(", ")} → ${"command" in run ? run.command : run.webhook}`;

/** A glob may protect hundreds of files; all of them are in the JSON. */
const MOST_NAMES = 30;

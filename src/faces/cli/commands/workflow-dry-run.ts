import { inWorkspace } from "../../../adapters/store/workspace.ts";
import { printable } from "../../../core/ansi.ts";
import { timeWords } from "../../../core/duration.ts";
import type { Workflow } from "../../../core/workflow/workflow.ts";
import { type PartPlan, planRun, type SessionPlan } from "../../../doors/workflow/dry-run.ts";
import { describeRun } from "../../../doors/workflow/prepare.ts";
import type { LoopPlan } from "../../../runtime/dry-run.ts";
import { paint } from "../../terminal/paint.ts";
import type { Cli } from "../context.ts";
import { askedFor, type WorkflowRunOptions } from "../program/workflow-options.ts";
import { DRY_RUN, printPrompt, printRows, type Row, reportProblems, rowsOf } from "./dry-run.ts";

/** `ralph workflow run --dry-run`. A part that cannot start is described too, with the exit code of the real run. */
export async function workflowDryRun(cli: Cli, workflow: Workflow, message: string, options: WorkflowRunOptions) {
  return inWorkspace({ cwd: cli.cwd() }, async (workspace) => {
    const started = await describeRun({ workspace, workflow, message, conversation: null, ...askedFor(options) });
    const parts = await planRun(started);
    if (options.json) {
      cli.printJson({ workflow: workflow.name, file: workflow.file, message, parts: parts.map(documentOf) });
    } else {
      cli.printLine(DRY_RUN);
      printRows(cli, [
        ["workflow", [`${workflow.name}  (${workflow.file})`]],
        ["message", message === "" ? [] : [message]],
        ["folder", [workspace.cwd]],
      ]);
      for (const part of parts) await printPart(cli, part, workflow.parts.length);
    }
    return reportProblems(cli, unique(parts.flatMap(({ problems }) => problems)));
  });
}

const documentOf = ({ of, loop, ...rest }: PartPlan) => ({
  ...rest,
  kind: of.kind,
  ...(of.kind === "bash" ? { command: of.command, timeoutS: of.timeoutS } : { retry: "retry" in of ? of.retry : null }),
  loop,
});

/** An agent that is missing for several parts is reported once. */
const unique = <T extends { message: string }>(problems: readonly T[]): T[] => [
  ...new Map(problems.map((problem) => [problem.message, problem])).values(),
];

const SESSIONS: Record<SessionPlan, string> = {
  fresh: "a new one",
  shared: "that of the step before",
  kept: "a new one, shared by all iterations",
  each: "a new one for every iteration",
};

/** What all parts have in common is shown once; what a step does not have is omitted. */
const LEFT_OUT = new Set(["task", "folder", "settings", "context", "feedback", "scm"]);
const OF_LOOPS = new Set(["completion", "checks", "conditions", "limits"]);

async function printPart(cli: Cli, { name, step, together, of, session, loop }: PartPlan, steps: number) {
  const beside = together ? ", in parallel with others" : "";
  cli.printLine(`\n${paint("bold", `══ ${step}/${steps} ${printable(name)}: ${of.kind}${beside} ══`)}`);
  if (of.kind === "bash") {
    return printRows(cli, [
      ["command", of.command.trimEnd().split("\n")],
      ...(of.timeoutS === null ? [] : ([["time-out", [timeWords(of.timeoutS * 1_000)]]] satisfies Row[])),
    ]);
  }
  const file = of.prompt.command === null ? [] : ([["command", [`${of.prompt.command}.md`]]] satisfies Row[]);
  printRows(cli, [...file, ["session", [session ? SESSIONS[session] : "none"]], ...(loop ? loopRows(loop) : [])]);
  if (loop) await printPrompt(cli, loop.prompt, of.kind === "loop" ? "the prompt of iteration 1" : "the prompt");
}

const loopRows = (loop: LoopPlan): Row[] =>
  rowsOf(loop).filter(([name]) => !LEFT_OUT.has(name) && (loop.ends !== "turn" || !OF_LOOPS.has(name)));

import { SCRIPTED } from "../../../adapters/agents/agent.ts";
import { readText, STDIN } from "../../../adapters/io/text-file.ts";
import { inWorkspace } from "../../../adapters/store/workspace.ts";
import { printable } from "../../../core/ansi.ts";
import { RalphError } from "../../../core/errors.ts";
import { workflowNamed } from "../../../doors/workflow/file/files.ts";
import { requireMessage, unusedMessage } from "../../../doors/workflow/file/user-message.ts";
import { checkRunNeighbours, createRun } from "../../../doors/workflow/open.ts";
import { prepareRun } from "../../../doors/workflow/prepare.ts";
import { refuseAgents } from "../../../runtime/person.ts";
import { paint } from "../../terminal/paint.ts";
import type { Cli } from "../context.ts";
import { besideOthers } from "../live/follow.ts";
import { followRun, runExitCode } from "../live/follow-run.ts";
import { askedFor, type WorkflowRunOptions } from "../program/workflow-options.ts";

export async function workflowRunCommand(
  cli: Cli,
  name: string,
  given: string | undefined,
  options: WorkflowRunOptions,
): Promise<number> {
  refuseTogether(options);
  const cwd = cli.cwd();
  const workflow = await workflowNamed(cwd, name);
  const message = await givenMessage(given, cwd);
  requireMessage(workflow, message);
  const unheard = options.quiet || options.json ? null : unusedMessage(workflow, message);
  if (unheard) cli.report(paint("yellow", `! ${printable(unheard)}`));
  if (options.dryRun) return (await import("./workflow-dry-run.ts")).workflowDryRun(cli, workflow, message, options);
  if (options.rehearse)
    return (await import("./workflow-rehearse.ts")).rehearseCommand(cli, workflow, message, options);
  return inWorkspace({ cwd: cli.cwd(), create: true }, async (workspace) => {
    refuseAgents(workspace, "ralph workflow run");
    const started = await prepareRun({ workspace, workflow, message, conversation: null, ...askedFor(options) });
    await checkRunNeighbours(workspace, { started }, besideOthers(cli, options));
    const { state } = await followRun(cli, workspace, options, () => createRun(workspace, started));
    return runExitCode(state, options.strict);
  });
}

function refuseTogether({ dryRun, rehearse, agent }: WorkflowRunOptions): void {
  if (dryRun && rehearse) {
    throw new RalphError("dry-run-rehearse", "--dry-run starts nothing, and --rehearse walks the workflow", {
      hint: "leave out one of them",
    });
  }
  if (rehearse && agent !== undefined && agent !== SCRIPTED) {
    throw new RalphError("rehearse-agent", `a rehearsal is played by the scripted agent, and --agent is ${agent}`, {
      hint: "leave out --agent; --scenario says what is played",
    });
  }
}

const givenMessage = async (given: string | undefined, cwd: string): Promise<string> =>
  given === STDIN
    ? (await readText({ file: STDIN, cwd, what: "message", hint: "pipe a text in UTF-8 into it" })).trim()
    : (given ?? "");

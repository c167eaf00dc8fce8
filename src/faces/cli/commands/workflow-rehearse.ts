import { printable } from "../../../core/ansi.ts";
import { EXIT } from "../../../core/errors.ts";
import { counted } from "../../../core/excerpt.ts";
import type { PartEnded, RunEvent } from "../../../core/workflow/events.ts";
import { lanesOf, type Workflow } from "../../../core/workflow/workflow.ts";
import { openRehearsal, type Rehearsal } from "../../../doors/workflow/rehearsal/open-rehearsal.ts";
import { paint } from "../../terminal/paint.ts";
import type { Cli } from "../context.ts";
import { followRun, runExitCode } from "../live/follow-run.ts";
import type { WorkflowRunOptions } from "../program/workflow-options.ts";

export async function rehearseCommand(cli: Cli, workflow: Workflow, message: string, options: WorkflowRunOptions) {
  const { scenario, settings, json = false, quiet = false } = options;
  const rehearsal = await openRehearsal({
    cwd: cli.cwd(),
    workflow,
    message,
    ...(scenario === undefined ? {} : { scenario }),
    ...(settings === undefined ? {} : { settingsPath: settings }),
  });
  try {
    if (!json && !quiet) for (const line of beginning(rehearsal, scenario)) cli.report(line);
    const walked = await walk(cli, rehearsal, options);
    if (json) cli.printJson({ type: "rehearsal", workflow: workflow.name, parts: walked.parts });
    else for (const line of summary(workflow, walked.parts, scenario !== undefined)) cli.report(line);
    return walked.code;
  } finally {
    await rehearsal.close();
  }
}

function beginning({ workspace: { cwd }, missing, mostIterations }: Rehearsal, scenario: string | undefined): string[] {
  const plays = scenario === undefined ? "makes something up for each part" : `plays ${printable(scenario)}`;
  return [
    `${paint("bold", "Rehearsal")} in a copy ${paint("dim", cwd)}`,
    paint("dim", `  the scripted agent ${plays}; commands of the workflow run, in the copy`),
    paint(
      "dim",
      `  loops end after ${counted(mostIterations, "iteration")}; not in the copy: ${missing.join(", ") || "nothing"}`,
    ),
  ];
}

/** Runs every part. Made-up work proves nothing, so a failing check does not end the rehearsal. */
async function walk(cli: Cli, rehearsal: Rehearsal, options: WorkflowRunOptions) {
  const parts: PartEnded[] = [];
  const run = (event: RunEvent) => {
    if (event.type === "part.ended") parts.push(event);
  };
  const follow = (begin: () => Promise<string>) =>
    followRun(cli, rehearsal.workspace, { ...options, passing: true }, begin, { run });
  let { id, state } = await follow(rehearsal.begin);
  while (state.status === "failed" && options.scenario === undefined) {
    const next = await rehearsal.beginAfter(id);
    if (next === null) return { parts, code: EXIT.verified };
    ({ id, state } = await follow(async () => next));
  }
  return { parts, code: runExitCode(state) };
}

function summary({ name, parts }: Workflow, walked: readonly PartEnded[], played: boolean): string[] {
  const lines = walked.map(({ part, lane, is, iterations, detail }) => {
    const at = parts[part];
    const mark = is === "done" ? paint("green", "✓") : paint("red", "✗");
    const took = iterations > 0 ? `, ${counted(iterations, "iteration")}` : "";
    const said = (at && lanesOf(at)[lane]?.name) ?? "";
    return `  ${mark} ${printable(said)}${took}${detail ? `: ${printable(detail)}` : ""}`;
  });
  const refused = walked.some(({ is }) => is === "failed") && !played;
  return [
    `${paint("bold", `Rehearsed ${printable(name)}`)}: none of your files changed, it cost nothing, the copy was removed.`,
    ...lines,
    ...(refused
      ? [paint("dim", "  no agent did real work: --scenario <folder> plays work that your checks can accept")]
      : []),
  ];
}

import { inWorkspace } from "../../../adapters/store/workspace.ts";
import { EXIT, RalphError } from "../../../core/errors.ts";
import type { Workspace } from "../../../core/workspace.ts";
import { loopNamed, runNamed, taskNamed } from "../../../engine/named.ts";
import { openWork, runningExecutions, type Work, withExecutions } from "../../../engine/running.ts";
import { refuseAgents } from "../../../runtime/person.ts";
import type { Cli, JsonOption } from "../context.ts";
import { type CancelRequest, cancelWork, type Outcome } from "../live/cancel-work.ts";
import { reportNext } from "../output/next.ts";
import { severalRun } from "../views/running.ts";

interface CancelOptions extends JsonOption {
  all?: boolean;
}

/** `ralph cancel`: returns once the work has stopped. */
export async function cancelCommand(
  cli: Cli,
  wanted: string | undefined,
  { json = false, all = false }: CancelOptions,
): Promise<number> {
  if (all && wanted !== undefined) {
    throw new RalphError("usage", `--all cancels everything that runs here, and ${wanted} names one`, {
      hint: "use one of them",
    });
  }
  return inWorkspace({ cwd: cli.cwd() }, async (workspace) => {
    const request = { cli, workspace, by: `ralph cancel (pid ${cli.process.pid})` };
    refuseAgents(workspace, "ralph cancel");
    if (all) return cancelAll(request, json);
    const work = wanted === undefined ? await onlyWork(request, json) : await workNamed(workspace, wanted);
    if (work === null) return EXIT.stopped;
    return exitCodeOf(shown(cli, await cancelWork(request, work), json));
  });
}

const exitCodeOf = ({ is }: Outcome): number => (is === "cancelled" ? EXIT.verified : EXIT.stopped);

function shown(cli: Cli, outcome: Outcome, json: boolean): Outcome {
  if (json) cli.printJson(outcome.document);
  else print(cli, outcome);
  return outcome;
}

function print(cli: Cli, { words, next }: Outcome): void {
  cli.printWords(words);
  if (next) reportNext(cli, next);
}

async function cancelAll(request: CancelRequest, json: boolean): Promise<number> {
  const { cli, workspace } = request;
  const { running, left } = await openWork(workspace);
  const works = withExecutions(running);
  if (works.length === 0 && !json) reportIdle(cli, left);
  const outcomes = await Promise.all(works.map((work) => cancelWork(request, work)));
  if (json) cli.printJson(outcomes.map(({ document }) => document));
  else for (const outcome of outcomes) print(cli, outcome);
  return works.length > 0 && outcomes.every(({ is }) => is !== "asked") ? EXIT.verified : EXIT.stopped;
}

/** The only work that runs, or else the only one whose driver is gone; null if there is nothing to cancel. */
async function onlyWork({ cli, workspace }: CancelRequest, json: boolean): Promise<Pick<Work, "kind" | "id"> | null> {
  const { running, left } = await openWork(workspace);
  const works = running.length > 0 ? withExecutions(running) : left;
  const [only, another] = works;
  if (only && another) {
    const all = running.length > 0 ? ", `ralph cancel --all` all of them" : "";
    throw severalRun(
      works,
      `\`ralph cancel ${only.id}\` cancels that one${all}`,
      running.length > 0 ? "run here" : "have not ended, although nothing runs here",
    );
  }
  if (only) return only;
  const last = await loopNamed(workspace, "last");
  if (json) cli.printJson({ ...last, cancelled: false });
  else reportIdle(cli, []);
  return null;
}

function reportIdle(cli: Cli, left: readonly Work[]): void {
  cli.printLine("Nothing is running here.");
  const next = left.map(({ id }) => `ralph cancel ${id}`);
  reportNext(cli, next[0] ?? "ralph list shows the loops that stopped");
}

async function workNamed(workspace: Workspace, wanted: string): Promise<Pick<Work, "kind" | "id">> {
  const run = await runNamed(workspace, wanted);
  if (run) return { kind: "run", id: run.id };
  const task = await taskNamed(workspace, wanted);
  if (task) return { kind: "task", id: task.id };
  const execution = (await runningExecutions(workspace)).find(({ id }) => wanted !== "" && id.startsWith(wanted));
  if (execution) return execution;
  const loop = await loopNamed(workspace, wanted);
  // Otherwise the run would stay open without a driver.
  return loop.run ? { kind: "run", id: loop.run.run } : { kind: "loop", id: loop.id };
}

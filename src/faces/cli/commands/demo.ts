import { inWorkspace } from "../../../adapters/store/workspace.ts";
import { harnessLoop, startHarness } from "../../../doors/harness/open.ts";
import { type Cli, type JsonOption, ralphCommand } from "../context.ts";
import { followLoop } from "../live/follow.ts";
import { paint } from "../output/paint.ts";
import { prepareDemo } from "../setup/demo.ts";

export async function demoCommand(cli: Cli, { json = false }: JsonOption): Promise<number> {
  const { repository, state, prompt } = await prepareDemo();
  if (!json)
    cli.report(
      `${paint("bold", "A real loop in a temporary repository")} ${paint("dim", repository)}\n${INTRODUCTION}\n`,
    );
  const loop = await harnessLoop({ cwd: repository, prompt, flags: {} });
  try {
    return await inWorkspace({ cwd: repository, create: true }, (workspace) =>
      followLoop(cli, workspace, { json }, (driving, follower) => startHarness(driving, loop, follower)),
    );
  } finally {
    if (!json) cli.report(whereToLook(ralphCommand(cli), repository, state));
  }
}

const INTRODUCTION = `The agent is scripted: it lies first, then leaves a mess, then gets it right.
A promise only asks for verification; watch what ends the loop.`;

/** Commands that work in the current folder, because they name the state folder of the demo. */
function whereToLook(ralph: string, repository: string, state: string): string {
  return `
${paint("bold", "Where to look next")}
  export RALPH_STATE_DIR=${state}
  ${ralph} why last    why each promise was believed or not
  ${ralph} receipt     what proved it in the end
  ${ralph} logs last   what the agent printed
  git -C ${repository} log --stat
Your own task: ${ralph} run --prompt "…" --verify "npm test"   (${ralph} run --help)`;
}

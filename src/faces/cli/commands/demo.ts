import { inWorkspace } from "../../../adapters/store/workspace.ts";
import { typedWord } from "../../../core/shell.ts";
import { harnessLoop, startHarness } from "../../../doors/harness/open.ts";
import { paint } from "../../terminal/paint.ts";
import type { Cli, JsonOption } from "../context.ts";
import { followLoop } from "../live/follow.ts";
import { prepareDemo } from "../setup/demo.ts";
import { ownCommands } from "../setup/own-command.ts";

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
    if (!json) cli.report(whereToLook(ownCommands(cli), repository, state));
  }
}

const INTRODUCTION = `The agent is scripted: it lies first, then leaves a mess, then gets it right.
A promise only asks for verification; watch what ends the loop.`;

/** Commands that work as printed, one by one: an exported variable would keep the user's own loops in the demo's state. */
function whereToLook({ here, own }: ReturnType<typeof ownCommands>, repository: string, state: string): string {
  const there = `RALPH_STATE_DIR=${typedWord(state)} ${here}`;
  return `
${paint("bold", "Where to look next")}
  why each promise was believed or not:
    ${there} why last
  what proved it in the end:
    ${there} receipt
  what the agent printed:
    ${there} logs last
  what it changed:
    git -C ${typedWord(repository)} log --stat
  your own task, in your repository:
    ${own} init
    ${own} run "Make the tests pass" --verify "npm test"`;
}

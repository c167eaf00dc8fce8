import { checkAgent } from "../../adapters/agents/agent.ts";
import { baseBranch } from "../../adapters/git/repository.ts";
import { checkoutRoot } from "../../adapters/io/checkout.ts";
import { mergeSettings } from "../../adapters/settings/settings.ts";
import { readSettings } from "../../adapters/settings/settings-files.ts";
import { RalphError } from "../../core/errors.ts";
import type { Conversation, RunStarted } from "../../core/workflow/events.ts";
import { NEW_RUN } from "../../core/workflow/state.ts";
import { lanesOf, type Workflow } from "../../core/workflow/workflow.ts";
import type { Workspace } from "../../core/workspace.ts";
import { partSpec } from "./part/part-spec.ts";

interface RunRequest {
  workspace: Workspace;
  workflow: Workflow;
  message: string;
  /** Null: started on the command line. */
  conversation: Conversation | null;
  /** The agent to use instead of the workflow's own, and the scenario of a scripted one. */
  agent: RunStarted["agent"];
  model?: string;
  agentFlags?: readonly string[];
  settingsPath?: string;
}

/** Collects everything a run needs. Throws for anything missing before anything is written. */
export async function prepareRun(request: RunRequest): Promise<RunStarted> {
  const started = await describeRun(request);
  await checkParts(started);
  return started;
}

/** The same without a check of its parts. */
export async function describeRun(request: RunRequest): Promise<RunStarted> {
  const { workspace, workflow, conversation, agent, model, agentFlags } = request;
  const { cwd } = workspace;
  const files = await readSettings(cwd, request.settingsPath);
  const settings = mergeSettings(...files.layers);
  return {
    type: "run.started",
    workflow,
    // Neither a prompt nor an environment variable can contain a NUL.
    message: request.message.replaceAll("\0", "\uFFFD"),
    conversation,
    cwd,
    values: {
      BASE_BRANCH: checkoutRoot(cwd) === null ? "" : await baseBranch(cwd),
      CONTEXT: conversation ? await contextOf(workspace, conversation) : "",
    },
    agent,
    ...(model === undefined ? {} : { model }),
    ...(agentFlags === undefined ? {} : { agentFlags }),
    settings,
    protect: [workflow.file, ...commandFiles(workflow), ...files.paths, ...(settings.protect ?? [])],
  };
}

/** The folders of command files. */
const COMMAND_FOLDERS = [".ralph/commands", ".archon/commands"];

const commandFiles = ({ parts }: Workflow): string[] =>
  parts.flatMap(lanesOf).flatMap((part) => {
    const command = part.kind === "bash" ? null : part.prompt.command;
    return command === null ? [] : COMMAND_FOLDERS.map((folder) => `${folder}/${command}.md`);
  });

/** Refuses a workflow with a part that could not run, instead of failing after earlier parts have cost money. */
async function checkParts(started: RunStarted): Promise<void> {
  const { workflow, cwd } = started;
  for (const part of workflow.parts) {
    const together = part.kind === "parallel";
    for (const lane of lanesOf(part)) {
      if (lane.kind === "bash") continue;
      const { agents } = await namingPart(workflow, lane.name, () =>
        partSpec({ id: "", started, state: NEW_RUN, together }, lane),
      );
      for (const one of agents) checkAgent(one, cwd);
    }
  }
}

/** Adds the names of the file and the part to an error. */
async function namingPart<T>({ file }: Workflow, name: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof RalphError) || error.message.startsWith(file)) throw error;
    throw error.with({ message: `${file}: "${name}": ${error.message}` });
  }
}

const CONTEXT_MESSAGES = 40;
const CONTEXT_CHARS = 20_000;

/** The messages of the conversation so far; the newest ones if it is long. */
async function contextOf({ runs }: Workspace, conversation: Conversation): Promise<string> {
  const messages = await runs.messages(conversation, { latest: true, limit: CONTEXT_MESSAGES });
  const text = messages.map(({ role, content }) => `${role}: ${content}`).join("\n\n");
  return text.length > CONTEXT_CHARS ? `…${text.slice(-CONTEXT_CHARS)}` : text;
}

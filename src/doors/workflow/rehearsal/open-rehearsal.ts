import { existsSync, mkdirSync, mkdtempSync, realpathSync, statSync, writeFileSync } from "node:fs";
import { copyFile } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import { SCRIPTED } from "../../../adapters/agents/agent.ts";
import { headOf } from "../../../adapters/git/repository.ts";
import { cloneHead } from "../../../adapters/git/worktree.ts";
import { copyBounded } from "../../../adapters/io/bounded-copy.ts";
import { checkoutRoot } from "../../../adapters/io/checkout.ts";
import { environment, temporaryFolder } from "../../../adapters/io/environment.ts";
import { isInside } from "../../../adapters/io/inside.ts";
import { removeFolder } from "../../../adapters/io/remove-folder.ts";
import { openWorkspace, type Workspace } from "../../../adapters/store/workspace.ts";
import { RalphError } from "../../../core/errors.ts";
import type { RunEvent, RunStarted } from "../../../core/workflow/events.ts";
import { runKind } from "../../../core/workflow/kind.ts";
import type { Workflow } from "../../../core/workflow/workflow.ts";
import { openLedger } from "../../../engine/ledger.ts";
import { createRun } from "../open.ts";
import { prepareRun } from "../prepare.ts";
import { agentParts, REHEARSAL_ITERATIONS, rehearsed, scenarioOf, withoutJudges } from "./rehearsed-workflow.ts";
import { requireScenarios } from "./scenario.ts";

interface RehearsalRequest {
  cwd: string;
  workflow: Workflow;
  message: string;
  /** The scenario, relative to `cwd`; by default, one is made up for each part. */
  scenario?: string;
  settingsPath?: string;
}

/** A copy of the repository with its own state folder, in which a workflow is rehearsed. */
export interface Rehearsal {
  workspace: Workspace;
  /** Descriptions of what the copy does not contain. */
  missing: readonly string[];
  mostIterations: number;
  begin(): Promise<string>;
  /** Starts another run after the part that failed; null if that was the last one. */
  beginAfter(run: string): Promise<string | null>;
  close(): Promise<void>;
}

/** Makes the copy. The checkout is not changed, and nothing in the copy refers to it. */
export async function openRehearsal(request: RehearsalRequest): Promise<Rehearsal> {
  const workflow = rehearsed(request.workflow);
  const scenario = request.scenario === undefined ? null : resolve(request.cwd, request.scenario);
  if (scenario !== null) requireScenarios(scenario, agentParts(workflow));
  const root = realpathSync(mkdtempSync(join(temporaryFolder(), "ralph-rehearsal-")));
  try {
    const { cwd, missing } = await copyOf(request.cwd, join(root, "copy"));
    const settingsPath = request.settingsPath && (await settingsIn(cwd, request.cwd, request.settingsPath));
    // Every process that this one starts uses this state folder.
    environment().RALPH_STATE_DIR = join(root, "state");
    const workspace = await openWorkspace(cwd, { create: true });
    const agent = { command: SCRIPTED, scenario: scenario ?? madeUp(join(root, "scenarios"), workflow) };
    const prepared = await prepareRun({
      workspace,
      workflow,
      message: request.message,
      conversation: null,
      agent,
      ...(settingsPath ? { settingsPath } : {}),
    });
    const started = unheard(prepared);
    return {
      workspace,
      missing,
      mostIterations: REHEARSAL_ITERATIONS,
      begin: () => createRun(workspace, started),
      beginAfter: (run) => beginAfter(workspace, started, run),
      async close() {
        workspace.close();
        await removeFolder(root);
      },
    };
  } catch (error) {
    await removeFolder(root);
    throw error;
  }
}

/** A rehearsal sends no notifications and uses no paid judge. */
const unheard = (started: RunStarted): RunStarted =>
  started.settings
    ? { ...started, settings: { ...withoutJudges(started.settings), notify: [], anchor: undefined } }
    : started;

/** Enough for the packages of a small repository; copying more would take longer than the rehearsal. */
const BOUND = { files: 50_000, bytes: 500 * 1024 * 1024 };
const MODULES = "node_modules";
/** Files of earlier runs in `.ralph`. */
const LEFT = ["artifacts", "receipts"];

async function copyOf(cwd: string, copy: string): Promise<{ cwd: string; missing: string[] }> {
  const top = checkoutRoot(cwd);
  if (top === null || (await headOf(top)) === "") return { cwd: await plainCopy(cwd, copy), missing: [] };
  const fault = await cloneHead(top, copy);
  if (fault !== null) throw new RalphError("rehearse-copy", `git cannot copy this repository: ${fault}`);
  const there = join(copy, relative(realpathSync(top), realpathSync(cwd)));
  mkdirSync(there, { recursive: true });
  // Uncommitted workflows and settings are rehearsed too.
  const own = join(cwd, ".ralph");
  if (existsSync(own)) await copyBounded(own, join(there, ".ralph"), { bound: BOUND, without: LEFT });
  const modules = join(cwd, MODULES);
  const known = !existsSync(modules) || existsSync(join(there, MODULES));
  const copied = known || (await copyBounded(modules, join(there, MODULES), { bound: BOUND }));
  return {
    cwd: there,
    missing: ["uncommitted changes", ...(copied ? [] : [`${MODULES}, which is too large`])],
  };
}

async function plainCopy(cwd: string, copy: string): Promise<string> {
  if (await copyBounded(cwd, copy, { bound: BOUND })) return copy;
  const hint = "commit it to a git repository, or use --dry-run";
  const what = `${cwd} is too large to copy, and has no commit to clone`;
  throw new RalphError("rehearse-large", what, { hint });
}

/** A settings file inside the folder is copied; any other is read in place. */
async function settingsIn(copy: string, cwd: string, path: string): Promise<string> {
  const file = resolve(cwd, path);
  if (!isInside(file, cwd) || !statSync(file, { throwIfNoEntry: false })?.isFile()) return file;
  const there = join(copy, relative(cwd, file));
  mkdirSync(dirname(there), { recursive: true });
  await copyFile(file, there);
  return path;
}

function madeUp(folder: string, workflow: Workflow): string {
  for (const part of agentParts(workflow)) {
    const path = join(folder, `${part.name}.yaml`);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, JSON.stringify(scenarioOf(part)));
  }
  return folder;
}

/** Copies the events so far to a new run, with the failed part as done. */
async function beginAfter(workspace: Workspace, started: RunStarted, run: string): Promise<string | null> {
  const events: RunEvent[] = [];
  for await (const { event } of workspace.runs.entries(run)) {
    if (event.type === "part.began") events.push(event);
    if (event.type === "part.ended") events.push(event.is === "done" ? event : { ...event, is: "done", detail: "" });
  }
  const { state } = await workspace.runs.load(run);
  if (state.part + 1 >= started.workflow.parts.length) return null;
  const id = await createRun(workspace, started);
  const { runs } = workspace;
  await openLedger(runKind, await runs.load(id), { now: Date.now, store: runs }).write(...events);
  return id;
}

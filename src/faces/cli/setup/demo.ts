import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { git } from "../../../adapters/git/repository.ts";
import { environment, temporaryFolder } from "../../../adapters/io/environment.ts";
import { openWorkspace, type Workspace } from "../../../adapters/store/workspace.ts";
import { DEMO_FILES, DEMO_PROMPT } from "./demo-files.ts";

interface Demo {
  workspace: Workspace;
  repository: string;
  state: string;
  prompt: string;
}

/** A small repository with a bug, settings with a guardrail, and an agent that first lies, then fixes it. */
export async function prepareDemo(): Promise<Demo> {
  const root = mkdtempSync(join(temporaryFolder(), "ralph-demo-"));
  const repository = join(root, "repo");
  const state = join(root, "state");
  for (const [name, content] of Object.entries(DEMO_FILES)) {
    const path = join(repository, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  }
  await git(repository, "init", "--quiet", "--initial-branch=main");
  await git(repository, "config", "user.name", "Ralph Demo");
  await git(repository, "config", "user.email", "demo@example.invalid");
  await git(repository, "add", "--all");
  await git(repository, "commit", "--quiet", "-m", "A clamp function with a bug");
  environment().RALPH_STATE_DIR = state;
  const workspace = await openWorkspace(repository, { create: true });
  return { workspace, repository: workspace.cwd, state, prompt: DEMO_PROMPT };
}

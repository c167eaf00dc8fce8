import { join } from "node:path";
import { makeFolder } from "../../../adapters/io/folder.ts";
import { runFolder } from "../../../adapters/io/run-folder.ts";
import type { RunStarted } from "../../../core/workflow/events.ts";
import type { RunState } from "../../../core/workflow/state.ts";

/** What the prompts and commands of a run can name at this point, apart from what depends on the turn. */
export function runValues(id: string, started: RunStarted, { outputs }: Pick<RunState, "outputs">) {
  return {
    USER_MESSAGE: started.message,
    ARGUMENTS: started.message,
    WORKFLOW_ID: id,
    ARTIFACTS_DIR: artifactsOf(id, started.cwd),
    ...started.values,
    ...Object.fromEntries(Object.entries(outputs).map(([part, text]) => [`${part}.output`, text])),
  };
}

const artifactsOf = (id: string, cwd: string): string => join(cwd, ".ralph", "artifacts", id);

/** Makes the folder for what the parts of a run leave to each other, out of the reach of commits. */
export function makeArtifacts(id: string, cwd: string): void {
  runFolder(cwd);
  makeFolder(artifactsOf(id, cwd));
}

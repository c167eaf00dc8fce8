import { existsSync } from "node:fs";
import { EXIT, RalphError } from "../core/errors.ts";
import { sessionEntry } from "../io/host-sessions.ts";
import { toolSession } from "../io/host-tool.ts";
import { RUN_VARIABLE } from "../io/run-variable.ts";
import type { Workspace } from "./workspace.ts";

/**
 * What decides tasks and loops, and who works on them, is a person's: refuses what the agent of a loop here wants, also
 * of one in a host's session, or a check, or a command of a workflow, as the code that these run may be an agent's. It
 * stops those who mean well; whoever forgets who started it is stopped by nothing but a sandbox.
 */
export function requirePerson({ folder }: Workspace, what: string, env = process.env): void {
  const run = loopInSession(env) ?? (env[RUN_VARIABLE] ?? "").split("/")[0] ?? "";
  // Work on another repository, a test of Ralph's own for instance, has nothing to do with this one.
  const isHere = run !== "" && existsSync(folderOf(folder, run));
  if (!isHere) return;
  throw new RalphError("persons-only", `${what} is for people, and ${run} of this repository runs this command`, {
    hint: "agents can look at tasks, and make new ones: ralph task show, create, followup; say the rest in your last message",
    exitCode: EXIT.usage,
  });
}

/** The loop of a host's session whose agent runs this command. */
function loopInSession(env: NodeJS.ProcessEnv): string | null {
  const session = toolSession(env);
  return session && (sessionEntry(session)?.loop ?? null);
}

function folderOf({ logs, task, run }: Workspace["folder"], token: string): string {
  const [, kind, id = ""] = /^(task|run)-(.+)$/.exec(token) ?? [];
  if (kind === undefined) return logs(token);
  return kind === "task" ? task(id) : run(id);
}

import { readdirSync } from "node:fs";
import { join } from "node:path";
import { type Finished, type Sandbox, sandbox } from "./sandbox.ts";

/**
 * An agent of a few lines of shell. It reads its task and its role from the prompt, counts its turns for the two,
 * and runs their plan: `plan/<task>-<role>`, `plan/<role>`, or nothing. Then it approves, unless it is
 * the coder, and promises.
 */
const AGENT = `#!/bin/sh
PLAN='<plans>'
prompt=$(cat)
field() { printf '%s\\n' "$prompt" | sed -n "s/.*\\*\\*$1\\*\\*: *\\([A-Za-z0-9_.-]*\\).*/\\1/p" | head -n 1; }
task=$(field "Task ID"); role=$(field Agent)
echo "$task $role" >> "$PLAN/calls"
n=$(grep -c "^$task $role$" "$PLAN/calls")
promise=$(printf '%s\\n' "$prompt" | sed -n 's/.*\\(<promise>[^<]*<\\/promise>\\).*/\\1/p' | tail -n 1)
approve='<review>{"approved": true, "findings": []}</review>'
[ "$role" = coder ] || [ "$role" = conflict ] && approve=
for plan in "$PLAN/$task-$role" "$PLAN/$role"; do
  if [ -f "$plan" ]; then . "$plan"; break; fi
done
[ -n "$approve" ] && printf '%s\\n' "$approve"
[ -n "$promise" ] && printf '%s\\n' "$promise"
exit 0
`;

export interface PipelineSandbox extends Sandbox {
  /** The agent's work: shell, in which $task, $role, $n, $prompt are set, and $approve and $promise can be changed. */
  plan(name: string, script: string): void;
  /** The task and role of each turn, in order. */
  calls(): string[];
  /** Creates a task with these commands. */
  task(id: string, checks: Partial<Record<"coder" | "tester" | "qa", string>>, ...more: string[]): Promise<void>;
  /** Runs `ralph execute` and returns its JSON Lines. */
  execute(...args: string[]): Promise<{ code: number | null; lines: Line[]; stderr: string }>;
  status(id: string): Promise<TaskJson>;
  /** The path of a task's worktree. */
  worktree(id: string): string;
}

export interface Line {
  type: string;
  task?: string;
  status?: string;
  event?: { type: string; [key: string]: unknown };
  [key: string]: unknown;
}

export interface TaskJson {
  id: string;
  status: string;
  held: boolean;
  iteration: number;
  loop: string | null;
  metadata: Record<string, unknown> & { ralph?: Record<string, unknown>; ralph_failure?: Record<string, unknown> };
}

/** A repository with an agent, settings and no tasks. By default a coder writes `<task>.txt`. */
export function pipeline(finished?: Finished, settings: object = {}): PipelineSandbox {
  const box = sandbox(finished);
  const plans = join(box.cwd, "../plan");
  box.initGit();
  box.program("agent", AGENT.replace("<plans>", plans));
  const { ralph = {}, ...others } = settings as { ralph?: object };
  box.write(
    ".ralph/settings.json",
    JSON.stringify({
      agent: { command: "agent", prompt: "stdin" },
      ...others,
      ralph: { reviewer: { verification_method: "string_match" }, ...ralph },
    }),
  );
  box.git("add", "-A");
  box.git("commit", "--quiet", "-m", "settings");
  const plan = (name: string, script: string) => void box.write(join(plans, name), script);
  plan("calls", "");
  plan("coder", 'echo "work of $task" > "$task.txt"');
  return {
    ...box,
    plan,
    calls: () => box.read(join(plans, "calls")).split("\n").filter(Boolean),
    async task(id, checks, ...more) {
      const flags = Object.entries(checks).flatMap(([role, command]) => [`--${role}-verify-cmd`, command]);
      const made = ["task", "create", id, "demo", `Task ${id}`, "--outcome", `${id} works`, "--acceptance", "it works"];
      const { code, stderr } = await box.ralph(...made, ...flags, ...more);
      if (code !== 0) throw new Error(stderr);
    },
    async execute(...args) {
      const { code, stdout, stderr } = await box.ralph("execute", "--json", ...args);
      return { code, lines: linesOf(stdout), stderr };
    },
    status: async (id) => (await box.json("task", "show", id)) as TaskJson,
    worktree: (id) => join(box.state, "worktrees", id),
  };
}

export const linesOf = (text: string): Line[] =>
  text
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Line);

/** The events of a task, by name. */
export const factsOf = (lines: readonly Line[], task: string): string[] =>
  lines.flatMap((line) => (line.type === "task" && line.task === task ? [line.event?.type ?? ""] : []));

/** The remaining entries in the folder of worktrees. */
export const worktreesIn = (box: Sandbox): string[] => {
  try {
    return readdirSync(join(box.state, "worktrees"));
  } catch {
    return [];
  }
};

import { type Ended, type Finished, type Sandbox, sandbox } from "./sandbox.ts";

/** A part of a workflow: an agent's work in a step, a user's command, or a loop with a check. */
export type Planted = { agent: string } | { bash: string } | { loop: string; verify: readonly string[] | object };

/** Unrelated work: a claim without any is refused before its checks run. */
const WORKS = "echo worked >> worked.txt";

/** Runs these parts one after the other, as one workflow; its agents run shell commands. */
export function runParts(box: Sandbox, ...parts: readonly Planted[]): Promise<Ended> {
  const scripts = parts.map((part) => ("agent" in part ? part.agent : "loop" in part ? `${WORKS}\n${part.loop}` : ""));
  const nodes = parts.map((part, i) => {
    const head = { id: `p${i}`, ...(i > 0 ? { depends_on: [`p${i - 1}`] } : {}) };
    if ("bash" in part) return { ...head, bash: part.bash };
    if ("agent" in part) return { ...head, prompt: `part=${i}.` };
    return { ...head, loop: { prompt: `part=${i}.`, until: "DONE", max_iterations: 1, verify: part.verify } };
  });
  box.write(".ralph/workflows/w.yaml", JSON.stringify({ name: "w", description: "A test.", nodes }));
  box.program("agent", agentOf(box, scripts));
  return box.ralph("workflow", "run", "w", "--agent", "agent");
}

/** The work of each part's agent; the prompt, its last argument, names the part. */
const agentOf = ({ bin, state }: Sandbox, scripts: readonly string[]): string => {
  const cases = scripts.map((script, i) => `*part=${i}.*)\n${script}\n;;`);
  return `BIN='${bin}' STATE='${state}'\ncase "$*" in\n${cases.join("\n")}\nesac\necho '<promise>DONE</promise>'`;
};

/** A committed project with these files. */
export function projectWith(finished: Finished, files: Readonly<Record<string, string>>): Sandbox {
  const box = sandbox(finished);
  box.initGit();
  for (const [name, content] of Object.entries(files)) box.write(name, content);
  box.git("add", "--all");
  box.git("commit", "--quiet", "-m", "project");
  return box;
}

import type { Step } from "./model-server.ts";
import { realAgents } from "./real-agents.ts";
import type { Ended, Finished, Running, Sandbox } from "./sandbox.ts";
import { settled } from "./settled.ts";

/** The output of one host process, line by line. */
export interface Said extends Ended {
  session: string;
  lines: Record<string, unknown>[];
}

interface Host {
  /** Its command line for a prompt, in a session if one is given. */
  args(prompt: string, session?: string): string[];
  sessionOf(line: Record<string, unknown>): unknown;
}

const HOSTS: Record<"claude" | "codex", Host> = {
  claude: {
    args: (prompt, session) => [
      ...["-p", prompt, "--output-format", "stream-json", "--verbose"],
      ...realAgents.claude.flags,
      ...(session ? ["--resume", session] : []),
    ],
    sessionOf: (line) => line.session_id,
  },
  codex: {
    args: (prompt, session) => [
      ...["exec", ...(session ? ["resume", session] : [])],
      ...["--json", "--dangerously-bypass-hook-trust", ...realAgents.codex.flags, prompt],
    ],
    sessionOf: (line) => line.thread_id,
  },
};

/** A real host with a scripted model, with our hooks installed in its project the usual way. */
export async function hosted(name: keyof typeof HOSTS, steps: (box: Sandbox) => Step[], finished: Finished) {
  const { box, server } = await settled(realAgents[name], steps, finished);
  const { args, sessionOf } = HOSTS[name];
  const home = { HOME: box.path("../home") };
  const install = async (scope: "--user" | "--project") => {
    const { code, stderr } = await box.start(["hook", "install", name, scope], home).ended;
    if (code !== 0) throw new Error(`not installed: ${stderr}`);
  };
  await install("--project");
  const saidIn = (end: Ended): Said => {
    const lines = end.stdout.split("\n").flatMap(parsed);
    return { ...end, lines, session: String(lines.map(sessionOf).find((id) => id !== undefined)) };
  };
  return {
    box,
    server,
    install,
    /** Types something, and waits until the host has ended. */
    say: async (prompt: string, session?: string): Promise<Said> =>
      saidIn(await box.run(name, ...args(prompt, session))),
    /** Types something, and leaves the host running. */
    open(prompt: string): Running {
      const running = box.open(name, ...args(prompt));
      finished(() => running.child.kill("SIGKILL"));
      return running;
    },
    /** The result of the loop. */
    status: () => box.json("status", "last"),
  };
}

function parsed(line: string): Record<string, unknown>[] {
  try {
    return [JSON.parse(line)];
  } catch {
    return []; // not a line of its stream
  }
}

import { mkdirSync, rmSync } from "node:fs";
import { basename, resolve } from "node:path";
import { adapterFor, agentAt } from "../../adapters/agents/agent.ts";
import type { Answer } from "../../adapters/agents/ask.ts";
import { askOne } from "../../adapters/agents/ask.ts";
import { environment } from "../../adapters/io/environment.ts";
import { pause } from "../../adapters/io/timer.ts";
import type { TurnFault } from "../../core/agent.ts";
import type { BlobWriter } from "../../core/blobs.ts";
import { RalphError } from "../../core/errors.ts";
import type { Reply } from "../../core/judge/question.ts";
import type { JudgeSpec, Semantic } from "../../core/proof/proof.ts";
import { NO_USAGE } from "../../core/usage.ts";
import type { StageContext } from "../verification-context.ts";

/** Delays between attempts. A judge may ask for another delay, up to a limit. */
const WAITS_MS = [500, 2_000];
const LONGEST_WAIT_MS = 30_000;

/** Asks the judge until it answers, with a few attempts and within its timeout. Answers and failures are logged. */
export async function askJudge(
  { judge, timeoutMs }: Semantic,
  question: string,
  { about, log }: { about: StageContext; log: BlobWriter },
): Promise<Reply> {
  const untilMs = Date.now() + timeoutMs;
  const ask = async (): Promise<Reply> => {
    const request = { question, timeoutMs: Math.max(1, untilMs - Date.now()) };
    if (judge.by === "agent") return askAgentJudge(about, { ...request, judge, log });
    const key = environment()[judge.keyVariable];
    if (!key) return { is: "refused", why: `there is no key in $${judge.keyVariable}`, usage: NO_USAGE };
    const { askOverHttp } = await import("./http-judge.ts");
    return askOverHttp({ ...request, judge, key, quit: about.stops.soft });
  };
  for (let tries = 0; ; tries++) {
    const reply = await ask();
    about.spend(reply.usage);
    log.write(Buffer.from(`\n\n===== ${headOf(reply)} =====\n`));
    const wait = WAITS_MS[tries];
    if (reply.is !== "unavailable" || !reply.again || wait === undefined) return reply;
    const waitMs = Math.min(reply.retryAfterMs ?? wait, LONGEST_WAIT_MS);
    if (Date.now() + waitMs >= untilMs) return reply;
    await pause(waitMs, about.stops.soft);
    if (about.stops.soft.aborted) return { is: "stopped", usage: NO_USAGE };
  }
}

const headOf = (reply: Reply): string => {
  if (reply.is === "answered") return `the answer\n${reply.text}\n===== its end`;
  return reply.is === "stopped" ? "stopped" : `${reply.is}: ${reply.why}`;
};

interface JudgeQuestion {
  judge: JudgeSpec & { by: "agent" };
  question: string;
  timeoutMs: number;
  log: BlobWriter;
}

async function askAgentJudge(about: StageContext, { judge, question, timeoutMs, log }: JudgeQuestion): Promise<Reply> {
  const { spec, state, loop, processToken } = about;
  const given = judge.agent ?? agentAt(spec, state?.agent ?? 0);
  const room = await openRoom(given, spec.cwd, `${log.path}.room`);
  try {
    const answer = await askOne(about, {
      agent: room.agent,
      cwd: room.cwd,
      apart: room.cwd !== spec.cwd,
      text: question,
      // Each has its own token, so that ending one does not end another.
      token: `${loop}/${processToken}/judge/${basename(log.path)}/`,
      timeoutMs,
      log,
      iteration: state?.n ?? 1,
      model: judge.model === null ? "cheap" : { name: judge.model },
    });
    return replyOf(answer);
  } catch (error) {
    if (!(error instanceof RalphError)) throw error;
    return { is: "refused", why: error.message, usage: NO_USAGE };
  } finally {
    room.close();
  }
}

type Given = ReturnType<typeof agentAt>;

/**
 * The folder that the judge runs in. An agent that reads instructions from its folder gets an empty one, because the
 * work's folder is writable by the judged agent. A plain command may find its own files only where it was configured.
 */
async function openRoom(agent: Given, cwd: string, empty: string) {
  const { readsFolder } = await adapterFor(agent);
  if (!readsFolder) return { agent, cwd, close: () => undefined };
  const command = agent.command.includes("/") ? resolve(cwd, agent.command) : agent.command;
  rmSync(empty, { recursive: true, force: true });
  mkdirSync(empty, { recursive: true });
  return { agent: { ...agent, command }, cwd: empty, close: () => rmSync(empty, { recursive: true, force: true }) };
}

function replyOf({ text, usage, fault }: Answer): Reply {
  // The question forbids tools: an answer counts even if a tool was refused.
  if (fault === null || fault.kind === "permission-denied") return { is: "answered", text, usage };
  const why = fault.detail || fault.kind;
  switch (fault.kind) {
    case "interrupted":
      return { is: "stopped", usage };
    case "rate-limited":
    case "overloaded":
    case "network":
      return { is: "unavailable", why, again: true, ...waitOf(fault), usage };
    case "timed-out":
      return { is: "unavailable", why, again: false, usage };
    // Includes a missing login: an agent that logs its own judge out must not benefit from it.
    default:
      return { is: "refused", why, usage };
  }
}

const waitOf = ({ retryAtMs }: TurnFault) =>
  retryAtMs === undefined ? {} : { retryAfterMs: Math.max(0, retryAtMs - Date.now()) };

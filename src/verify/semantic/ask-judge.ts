import { environment } from "../../adapters/io/environment.ts";
import { pause } from "../../adapters/io/timer.ts";
import type { BlobWriter } from "../../core/blobs.ts";
import type { Reply } from "../../core/judging/reply.ts";
import type { Semantic } from "../../core/proof/proof.ts";
import { NO_USAGE } from "../../core/usage.ts";
import type { StageContext } from "../verification-context.ts";
import { askAgentJudge } from "./agent-judge.ts";

/** Waits between tries; a judge may ask for another one, up to a bound. */
const WAITS_MS = [500, 2_000];
const LONGEST_WAIT_MS = 30_000;

/** Asks the judge until it answers, a few times at most and within its time. What it says and how it failed is logged. */
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

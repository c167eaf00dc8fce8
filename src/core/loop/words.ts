import type { AgentSpec } from "../agent-spec.ts";
import type { Doubt } from "../claim/claim.ts";
import { durationFlag } from "../duration.ts";
import { shorten } from "../excerpt.ts";
import { allowWords, type Refusals } from "../refusals.ts";
import type { Foreign } from "../subject.ts";
import type { StopReason, Tamper } from "./events.ts";
import type { Limits } from "./spec.ts";
import { stopFacts } from "./stop-reasons.ts";

interface ReasonWords {
  means: string;
  next: string;
}

/** What decides the command that helps a stopped loop. */
interface Circumstances {
  part?: { task: string } | null;
  run?: { run: string } | null;
  /** Foreign entries in its journal; with them it cannot be resumed. */
  foreign?: Foreign | null;
  /** What its last turn was refused. */
  refusals?: Refusals | undefined;
  /** Its limits, as far as they are known: the suggested one is twice as high. */
  limits?: Partial<Limits> | undefined;
  /** Whether it stopped in a host's session. */
  hosted?: boolean;
}

const FOREIGN = "another process wrote into the loop's journal";

/** The stop detail of a loop with foreign entries in its journal. */
export const foreignDetail = ({ entry, found }: Foreign): string => `${FOREIGN} at entry ${entry}: ${found}`;

const AFTER_FOREIGN = {
  means: FOREIGN,
  next: "ralph why {id}; then a new loop, with the agent in a sandbox that cannot write to the state folder",
};

/** A stop reason for display: what it means, and the command that helps. */
export function reasonWords(reason: StopReason, id: string, about: Circumstances = {}): ReasonWords {
  const facts = { ...stopFacts(reason), ...withFlags(reason, about), ...(about.foreign ? AFTER_FOREIGN : {}) };
  const more = higherLimit(reason, about.limits ?? {});
  return { means: facts.means, next: withHigher(nextWords(facts, id, about), more) };
}

/** Without the limit, the flag is only named: `<more>` would be a redirection in a shell. */
const withHigher = (next: string, more: string | null): string =>
  more === null
    ? next.replace(/(-\S+) \{more\}(.*)/, "$2 with a higher $1").replace(/ {2,}/g, " ")
    : next.replace("{more}", more);

function higherLimit(
  reason: StopReason,
  { maxIterations, maxCostUsd, maxTokens, maxMs }: Partial<Limits>,
): string | null {
  const limit = {
    "iteration-limit": maxIterations,
    "cost-limit": maxCostUsd,
    "token-limit": maxTokens,
    "time-limit": maxMs,
  };
  const reached = Object.hasOwn(limit, reason) ? limit[reason as keyof typeof limit] : null;
  if (reached === null || reached === undefined) return null;
  return reason === "time-limit" ? durationFlag(reached * 2) : String(Number((reached * 2).toFixed(6)));
}

function nextWords(facts: ReturnType<typeof stopFacts>, id: string, { part, run, hosted }: Circumstances): string {
  const { next, inRun = next, inSession = next } = facts;
  const filled = (text: string, resume: string) => text.replaceAll("{resume}", resume).replaceAll("{id}", id);
  if (next === "") return "";
  if (part) return `ralph why ${part.task}`;
  if (run) return facts.run === "paused" ? filled(inRun, `ralph workflow resume ${run.run}`) : "";
  return hosted ? filled(inSession, `/ralph --resume ${id}`) : filled(next, `ralph resume ${id}`);
}

/** Stops that a refused tool may explain: they are resumed with the flags that allow it. */
const AFTER_REFUSALS: Partial<Record<StopReason, string>> = {
  "iteration-limit": "{resume} -m {more} ",
  stuck: "{resume} ",
  blocked: "{resume} ",
  "no-work": "{resume} ",
  "agent-failed": "{resume} ",
  interrupted: "{resume} ",
  cancelled: "{resume} ",
};

function withFlags(reason: StopReason, { refusals, part, run, hosted, foreign }: Circumstances): { next?: string } {
  const resume = AFTER_REFUSALS[reason];
  if (!resume || !refusals?.allow.length || part || run || hosted || foreign) return {};
  return { next: resume + allowWords(refusals) };
}

/** Explanations of rules whose names do not say what is wrong. */
const DOUBTS: Readonly<Record<string, string>> = {
  "other-text": "not the expected text",
  "other-tag": "not the expected tag",
  "words-after": "words follow the tag in its sentence",
  "look-alike": "a character that only looks right",
  entities: "the tag is written with &lt; and &gt;",
  unclosed: "the closing tag is missing",
  "own-line": "the tag is not alone on its line",
  "in-note": "it is in a note",
  "later-message": "another message followed",
  "tool-call-after": "a tool was called after it",
  unticked: "an unticked item on the checklist",
  "tests-not-run": "the tests were not run",
};

/** The rule of a doubt, explained where its name does not say what to do: a stale promise looks like the right one. */
export const doubtWords = ({ rule, detail }: Pick<Doubt, "rule" | "detail">): string =>
  `${DOUBTS[rule] ?? rule}${detail ? `: ${detail}` : ""}`;

/** What was tampered with, on one line. */
export const tamperWords = (tampered: readonly Tamper[]): string =>
  tampered.map(({ path, change }) => `${path} (${change})`).join(", ");

const LABEL_CHARS = 40;

/** The name of one of a loop's agents: its command, with its flags where another agent has the same command. */
export function agentLabel(agents: readonly AgentSpec[], place: number): string {
  const agent = agents[place];
  if (!agent) return "";
  const alone = agents.filter(({ command }) => command === agent.command).length === 1;
  const name = agent.command.split("/").at(-1) || agent.command;
  return alone ? name : shorten([name, ...agent.flags].join(" "), LABEL_CHARS);
}

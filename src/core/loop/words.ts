import type { Doubt } from "../claim/claim.ts";
import { EXIT } from "../errors.ts";
import { shorten } from "../excerpt.ts";
import { isLevel, isStrictEnough, LEVEL_WORDS } from "../proof/level.ts";
import type { StopReason, Tamper } from "./events.ts";
import type { AgentSpec } from "./spec.ts";

interface ReasonWords {
  means: string;
  next: string;
}

const WORDS: Record<StopReason, ReasonWords> = {
  verified: { means: LEVEL_WORDS.verified.means, next: "" },
  judged: { means: LEVEL_WORDS.judged.means, next: "" },
  "still-green": { means: LEVEL_WORDS["still-green"].means, next: "" },
  "promise-only": { means: LEVEL_WORDS["promise-only"].means, next: "" },
  finished: { means: "the agent's turn has ended, with nothing claimed or proven", next: "" },
  "iteration-limit": { means: "the iteration limit was reached", next: "ralph resume {id} -m <more>" },
  "cost-limit": { means: "the cost limit was reached", next: "ralph resume {id} --max-cost <more>" },
  "token-limit": { means: "the token limit was reached", next: "ralph resume {id} --max-tokens <more>" },
  "time-limit": { means: "the time limit was reached", next: "ralph resume {id} --timeout <more>" },
  "wait-limit": { means: "waiting for the agent's usage limit would take too long", next: "ralph resume {id}, later" },
  stuck: {
    means: "iterations brought nothing new",
    next: "ralph logs {id} (does it ask something?), then a new loop with another prompt or other checks",
  },
  blocked: { means: "the agent says it cannot go on without a person", next: "see to it, then ralph resume {id}" },
  tampered: {
    means: "files that decide completion were changed again and again",
    next: 'look at them, then ralph resume {id} --accept-changes if the change was yours; a new loop with "protect": ["!<file>"] for a file that is the work itself',
  },
  unverifiable: {
    means: "the checks could not be carried out",
    next: "make the check work, then ralph resume {id} (--accept-changes if files of it changed); a new loop if its command is wrong",
  },
  "no-work": {
    means: "the agent claimed completion without doing anything",
    next: "ralph logs {id}; for a question or a report set zero_work_guard: false, then ralph run again",
  },
  "agent-failed": {
    means: "the agent failed again and again",
    next: "ralph logs {id}, then ralph resume {id}; a new loop if settings have to change",
  },
  auth: { means: "the agent is not logged in", next: "log in with the agent's own command, then ralph resume {id}" },
  "agent-missing": { means: "the agent's command was not found", next: "install it, then ralph resume {id}" },
  "check-missing": {
    means: "a check cannot be run, so nothing could be proven",
    next: "install what is missing, then ralph resume {id} (--accept-changes if files of the check changed); or a new loop with another command, or with --missing-ok (missing_ok: true) if the agent is to create it",
  },
  "already-green": {
    means: "the checks pass before any work is done, so they would prove nothing",
    next: "a new loop with a check that fails until the work is done, or without require_red_first",
  },
  "faults-found": {
    means: "the agent found faults that somebody else has to mend",
    next: "ralph execute sends the task back to its coder",
  },
  budget: { means: "the budget of the execution was used up", next: "ralph execute with more of it goes on" },
  cancelled: { means: "cancelled", next: "ralph resume {id}" },
  interrupted: { means: "interrupted", next: "ralph resume {id}" },
};

/** What a loop belongs to: it goes on with that, and not by itself. */
interface Belongs {
  part?: { task: string } | null;
  run?: { run: string } | null;
  /** With which detail it stopped. */
  detail?: string;
}

const FOREIGN = "another process wrote into the loop's journal";

/** With which detail a loop stops whose journal is not its driver's alone. */
export const foreignDetail = ({ entry, found }: { entry: number; found: string }): string =>
  `${FOREIGN} at entry ${entry}: ${found}`;

/** Nothing goes on from such a journal. */
const AFTER_FOREIGN: ReasonWords = {
  means: FOREIGN,
  next: "ralph why {id}; then a new loop, with the agent in a sandbox that cannot write to the state folder",
};

/** A stop reason for people: what it means, and the command that helps. */
export function reasonWords(reason: StopReason, id: string, { part, run, detail = "" }: Belongs = {}): ReasonWords {
  const isForeign = reason === "tampered" && detail.startsWith(FOREIGN);
  const { means, next } = isForeign ? AFTER_FOREIGN : WORDS[reason];
  if (next === "") return { means, next };
  if (part) return { means, next: `ralph task show ${part.task}` };
  if (run) return { means, next: (FOR_RUN[reason] ?? "").replaceAll("{run}", run.run) };
  return { means, next: next.replaceAll("{id}", id) };
}

const RESUME_RUN = "ralph workflow resume {run}";

/** A run that has failed stays so; these leave it where it was. */
const FOR_RUN: Partial<Record<StopReason, string>> = {
  "wait-limit": `${RESUME_RUN}, later`,
  blocked: `see to it, then ${RESUME_RUN}`,
  auth: `log in with the agent's own command, then ${RESUME_RUN}`,
  "agent-missing": `install it, then ${RESUME_RUN}`,
  budget: RESUME_RUN,
  interrupted: RESUME_RUN,
};

/** Nothing was begun: something has to be set right first. */
const REFUSED: ReadonlySet<StopReason> = new Set(["agent-missing", "check-missing", "already-green"]);

/** The exit code that the CLI contract gives a stop reason; `strict`: the user asks for `judged` or better. */
export function exitCodeOf(reason: StopReason, strict = false): number {
  if (isLevel(reason)) return strict && !isStrictEnough(reason) ? EXIT.stopped : EXIT.verified;
  if (reason === "finished") return EXIT.verified;
  if (reason === "cancelled" || reason === "interrupted") return EXIT.interrupted;
  return REFUSED.has(reason) ? EXIT.usage : EXIT.stopped;
}

/** Rules whose names do not say what is wrong. */
const DOUBTS: Readonly<Record<string, string>> = {
  "other-text": "not the text that was asked for",
  "other-tag": "not the tag that was asked for",
  "words-after": "words follow the tag in its sentence",
  "look-alike": "a character that only looks right",
  entities: "the tag is written with &lt; and &gt;",
  unclosed: "the closing tag is missing",
  "own-line": "the tag is not alone on its line",
  "later-message": "another message followed",
  "tool-call-after": "a tool was called after it",
  unticked: "an unticked item on the checklist",
  "tests-not-run": "the tests were not run",
};

/** The rule of a doubt, in words where its name does not say what to do: a stale promise looks like the right one. */
export const doubtWords = ({ rule, detail }: Pick<Doubt, "rule" | "detail">): string =>
  `${DOUBTS[rule] ?? rule}${detail ? `: ${detail}` : ""}`;

/** What was tampered with, on one line. */
export const tamperWords = (tampered: readonly Tamper[]): string =>
  tampered.map(({ path, change }) => `${path} (${change})`).join(", ");

const LABEL_CHARS = 40;

/** What tells one of a loop's agents from the others: its command, with its flags where another has the same command. */
export function agentLabel(agents: readonly AgentSpec[], place: number): string {
  const agent = agents[place];
  if (!agent) return "";
  const alone = agents.filter(({ command }) => command === agent.command).length === 1;
  const name = agent.command.split("/").at(-1) || agent.command;
  return alone ? name : shorten([name, ...agent.flags].join(" "), LABEL_CHARS);
}

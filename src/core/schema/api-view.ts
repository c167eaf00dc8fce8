import * as z from "zod";
import type { ExecutionLine } from "../view/board.ts";
import type { Card } from "../view/card.ts";
import type { LoopLine } from "../view/loop-line.ts";
import type { CheckLine, TimelineItem } from "../view/loop-page.ts";
import type { CriterionLine, HistoryLine, StageLine } from "../view/task-page.ts";
import type { Totals } from "../view/totals.ts";
import { component, limitOf, loosely, operation, wholeIn, yesNo } from "./api.ts";
import { loopParam, taskParam } from "./api-atoms.ts";

const tag = "view";

const words = (what: string) => z.string().describe(what);
const commandWords = words("the command to type next; empty if there is none");
const weak = z.array(z.string()).describe("what weakens the proof, in words");

const decides = z.enum(["decided", "decides next"]).describe("whether it is still open");
const criterion = loosely<CriterionLine>("an acceptance criterion: text, is, why");
const card = loosely<Card>("a task on the board: its lane, badge, tone, proof, cost, and what it is doing");
const line = loosely<LoopLine>("a loop in a list: its badge, tone, proof, cost, and what it is doing");

export const showView = operation({
  id: "showView",
  path: "/api/view",
  tag,
  summary: "Show everything at a glance, as the board and the dashboard do: tasks, executions, loops and totals",
  answer: component(
    "BoardView",
    "Everything at a glance, true for the feed up to `at`.",
    z.object({
      at: z.int().describe("the id of the newest event that it contains"),
      cards: z.array(card).describe("the tasks in the order in which they are started"),
      executions: z.array(loosely<ExecutionLine>("an execution that works now: its slots and its merge queue")),
      loops: z.array(line).describe("loops that have not stopped, and the newest others, newest first"),
      totals: loosely<Totals>("merged, of, blocked, waitingForPerson, running, costUsd"),
      todayUsd: z.number().describe("what all loops have cost since midnight"),
    }),
  ),
});

export const streamView = operation({
  id: "streamView",
  path: "/api/live",
  tag,
  summary: "Stream the same as Server-Sent Events: `view` has all of it, `change` what is different since then",
  answer: {
    media: "text/event-stream",
    description:
      "a `view` event, then `change` events; a client that falls behind gets another `view`; `problem` says why the journal cannot be read, and null when it can be again",
  },
});

export const showTaskPage = operation({
  id: "showTaskPage",
  path: "/api/view/tasks/{task}",
  tag,
  summary: "Show one task as the board and the dashboard do: criteria, stages and history in words",
  params: taskParam,
  answer: component(
    "TaskPage",
    "Everything that is shown about one task.",
    z.object({
      card,
      description: z.string(),
      outcome: words('what "done" means'),
      decides,
      decided: words("what decided how it stands; if it is open, what decides next"),
      next: commandWords,
      criteria: z.array(criterion),
      commands: z.array(z.string()).describe("what Ralph runs because of its own criteria"),
      stages: z.array(loosely<StageLine>("a stage: role, is, words, loop, method, promise, checks")),
      dependencies: z.array(z.object({ id: z.string(), title: z.string(), status: z.string() })),
      followups: z.array(z.string()),
      history: z.array(loosely<HistoryLine>("a line of its history: atMs, tone, words, details, loop")),
      earlier: z.int().describe("how many earlier lines were left out"),
      branch: z.string().nullable(),
      target: z.string().nullable(),
      worktree: z.string().nullable(),
      merged: z.string().nullable().describe("the merge commit"),
      weak,
    }),
  ),
});

const check = loosely<CheckLine>("a check: name, command, tone, words, failing tests, excerpt");

export const showLoopPage = operation({
  id: "showLoopPage",
  path: "/api/view/loops/{loop}",
  tag,
  summary: "Show one loop as the board and the dashboard do: a timeline of claim, guards, guardrails and verdict",
  params: loopParam,
  query: {
    limit: limitOf(50, 500),
  },
  answer: component(
    "LoopPage",
    "Everything that is shown about one loop.",
    z.object({
      line,
      ended: words("how it ended or stands"),
      decides,
      decided: words("what decided that; if it is open, what decides next"),
      next: commandWords,
      outcome: words('what "done" means'),
      prompt: z.string(),
      protection: z.array(z.string()).describe("what keeps the checks out of the agent's reach"),
      criteria: z.array(criterion),
      weak,
      baseline: z.array(check).nullable().describe("the checks before any work; null if they did not run"),
      timeline: z.array(loosely<TimelineItem>("an attempt at an iteration: its phases, effects, cost and decision")),
      earlier: z.int().describe("how many attempts were left out before these"),
      receipt: z.boolean().describe("whether it has a receipt"),
      damage: words("what is wrong with its journal; empty: it is sound"),
    }),
  ),
});

const diffAnswer = component(
  "Diff",
  "What was changed.",
  z.object({
    files: z.array(
      z.object({
        path: z.string(),
        from: z.string().optional().describe("its path before it was renamed"),
        status: z.enum(["added", "changed", "deleted", "renamed"]),
        decides: z
          .string()
          .nullable()
          .describe("how it decides completion, such as `test` or `protected`; null if it does not"),
        added: z.int().nullable().describe("the number of lines; null for a binary file"),
        removed: z.int().nullable(),
      }),
    ),
    patch: z.string().describe("as git writes it; it may have characters that hide or reorder text"),
    truncated: z.boolean().describe("whether the end of the patch, or of the list of files, was left out"),
    notes: z.array(z.string()).describe("what is worth knowing about it, such as files that are not shown"),
  }),
);

const tests = yesNo.optional().describe("only tests, snapshots, fixtures and other files that decide completion");

export const showLoopDiff = operation({
  id: "showLoopDiff",
  path: "/api/loops/{loop}/diff",
  tag: "loops",
  summary: "Show what a loop or one of its iterations has changed, as `ralph diff` does",
  params: loopParam,
  query: { iteration: wholeIn(1, 1e9).optional().describe("only this iteration"), tests },
  answer: diffAnswer,
});

export const showTaskDiff = operation({
  id: "showTaskDiff",
  path: "/api/tasks/{task}/diff",
  tag: "tasks",
  summary: "Show what is on the branch of a task, or was merged, as `ralph diff` does",
  params: taskParam,
  query: { tests },
  answer: diffAnswer,
});

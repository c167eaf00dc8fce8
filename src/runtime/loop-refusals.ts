import { RalphError } from "../core/errors.ts";
import type { LoopSummary } from "../core/loop/store.ts";
import { isLevel } from "../core/proof/level.ts";
import type { Foreign } from "../core/subject.ts";
import type { Workspace } from "../core/workspace.ts";
import { damagedJournal } from "./readable-journal.ts";

/** Resuming a completed loop would report its old proof as if it had been checked again. */
export async function requireIncomplete(
  { store }: Pick<Workspace, "store">,
  { id, reason }: Pick<LoopSummary, "id" | "reason">,
): Promise<void> {
  if (reason === null || !isLevel(reason)) return;
  // A row that another process changed is no completion.
  const { damage } = await store.check(id);
  if (damage) throw damagedJournal(id, damage);
  throw new RalphError("loop-complete", `loop ${id} is already complete (${reason})`, {
    hint: `\`ralph receipt verify ${id} --rerun\` checks it again, \`ralph run\` starts a new loop`,
  });
}

/** The contents of such a journal cannot be trusted. */
export const foreignJournal = (id: string, { entry, found }: Foreign): RalphError =>
  new RalphError(
    "journal-foreign",
    `loop ${id} cannot be resumed: while it ran, another process wrote into its journal at entry ${entry} (${found})`,
    {
      hint: `\`ralph why ${id}\` shows what was found; start the work again with \`ralph run\`, with the agent in a sandbox that cannot write to the state folder`,
    },
  );

export const agentless = (id: string): RalphError =>
  new RalphError("no-agent", `loop ${id} belongs to a program with its own agent, so only that program can resume it`, {
    hint: 'resume it in that program; `"agent"` in .ralph/settings.json sets one for new loops',
  });

/** No claim could pass, so resuming would only cost money. */
export const lostLoopRecord = (id: string): RalphError =>
  new RalphError("record-lost", `the record of what loop ${id} protects is missing or changed`, {
    hint: `inspect the checks and what they run, then \`ralph resume ${id} --accept-changes\``,
  });

import { RalphError } from "../core/errors.ts";
import type { Foreign } from "../core/subject.ts";

/** What such a journal says of the work is not known to be true. */
export const foreignJournal = (id: string, { entry, found }: Foreign): RalphError =>
  new RalphError(
    "journal-foreign",
    `loop ${id} cannot be resumed: while it ran, another process wrote into its journal at entry ${entry} (${found})`,
    {
      hint: `\`ralph why ${id}\` shows what was found; start the work again with \`ralph run\`, with the agent in a sandbox that cannot write to the state folder`,
    },
  );

export const agentless = (id: string): RalphError =>
  new RalphError("no-agent", `loop ${id} belongs to a program that has its own agent: nobody else can go on with it`, {
    hint: 'go on with it in that program; `"agent"` in .ralph/settings.json names one for the loops to come',
  });

/** No claim could hold: going on would be paid for nothing. */
export const lostRecord = (id: string): RalphError =>
  new RalphError("record-lost", `what loop ${id} protects was not taken down, or its record is gone or changed`, {
    hint: `look at the checks and what they run, then \`ralph resume ${id} --accept-changes\``,
  });

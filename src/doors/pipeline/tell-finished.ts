import { settled } from "../../adapters/io/timer.ts";
import { sweep } from "../../adapters/io/tokens.ts";
import { recipientOf } from "../../core/loop/from-settings.ts";
import { recipientName } from "../../core/loop/notes.ts";
import type { Settings } from "../../core/schema/settings.ts";
import type { StopControl } from "../../engine/stop-control.ts";
import type { DriverProcess } from "../../runtime/driver.ts";
import { tellFacts } from "../../runtime/tell-recipient.ts";
import type { ExecutionView } from "./context.ts";
import type { FinishedFacts } from "./finished.ts";

interface Telling extends DriverProcess {
  notify: Settings["notify"];
  stops: StopControl;
  view: Pick<ExecutionView, "say">;
}

/** How long the end of an execution waits for notifications. */
const WAIT_MS = 15_000;
const QUIT_MS = 2_000;

/** Sends the report of an execution to the recipients of `finished`. A failure is shown and changes nothing. */
export async function tellFinished(facts: FinishedFacts, telling: Telling): Promise<void> {
  const { notify = [], stops, view, watchdog, processToken } = telling;
  const token = `${facts.execution}-finished/${processToken}/`;
  const quit = new AbortController();
  const sent = notify.map(recipientOf).map(async (recipient, place) => {
    if (!recipient.on.includes("finished")) return;
    const setting = { token: `${token}${place}/`, watchdog, quit: quit.signal };
    const detail = await tellFacts(recipient.run, facts, setting);
    if (detail !== null)
      view.say(null, `notification "finished" failed, ${recipientName(recipient, place)}: ${detail}`);
  });
  // The Ctrl-C that stopped the execution does not stop this; the next one does.
  const leave = stops.soft.aborted ? stops.hard : stops.soft;
  const cut = () => quit.abort();
  leave.addEventListener("abort", cut);
  if (leave.aborted) cut();
  const all = Promise.all(sent);
  await settled(all, WAIT_MS);
  cut();
  await settled(all, QUIT_MS);
  leave.removeEventListener("abort", cut);
  sweep(token);
}

import type { Teller } from "../../core/platform.ts";
import type { RunStarted } from "../../core/workflow/events.ts";
import type { RunState } from "../../core/workflow/state.ts";
import type { RunView } from "../../doors/workflow/run-view.ts";
import { checkLine, openOutput } from "./console.ts";
import { linesOf, type Moment, noteLine } from "./event-lines.ts";
import { keepStatus } from "./live.ts";
import { paint } from "./paint.ts";
import { printJson, tell } from "./print.ts";
import { followProgress } from "./progress.ts";
import { beginLines, endLines, messageText } from "./run-lines.ts";
import { statusText } from "./status-line.ts";

export interface RunOutput {
  streamAgentOutput?: boolean;
  quiet?: boolean;
  json?: boolean;
  /** Nothing of the run is kept, so there is nowhere to look. */
  passing?: boolean;
}

/** What a run looks like from the outside: for people on standard error, for scripts as JSON Lines. */
export interface RunConsole {
  teller: Teller;
  view: RunView;
  /** Answers a signal, which a terminal may have echoed in the middle of a line. */
  answer(line: string): void;
  begin(id: string, started: RunStarted, part: number): void;
  end(id: string, state: RunState): void;
  close(): void;
}

export const openRunConsole = (options: RunOutput): RunConsole => (options.json ? jsonConsole() : textConsole(options));

const onNewLine = (line: string) => tell(`\n${line}`);
const nothing = () => undefined;
const noneDropped = async () => ({ dropped: 0 });

function jsonConsole(): RunConsole {
  return {
    teller: { mode: "batch", tell: nothing, close: noneDropped },
    view: {
      run: (event) => printJson({ type: "run", event }),
      entry: ({ name }, { entry }) => printJson({ type: "entry", part: name, ...entry }),
      note: printJson,
      say: (words) => printJson({ type: "note", words }),
    },
    answer: onNewLine,
    begin: (id, { workflow: { name, parts }, message }) =>
      printJson({ type: "begin", run: id, workflow: name, parts: parts.length, message }),
    end: (id, { started, status, detail, metadata, spent, dropped }) =>
      printJson({
        type: "result",
        run: id,
        workflow: started?.workflow.name,
        status,
        detail,
        metadata,
        spent,
        dropped,
      }),
    close: nothing,
  };
}

function textConsole({ quiet = false, streamAgentOutput = true, passing = false }: RunOutput): RunConsole {
  const { screen, lively } = openOutput(quiet);
  const progress = followProgress();
  const live = lively ? keepStatus(screen, () => statusText(progress.current(), Date.now())) : null;
  const rich = Boolean(process.stderr.isTTY);
  const say = (...lines: string[]) => {
    if (quiet) return;
    for (const line of lines) screen.tell(line);
    live?.touch();
  };
  const teller: Teller = {
    mode: "stream",
    tell({ kind, text }) {
      if (kind === "progress") return say(messageText(text, rich));
      if (quiet || !streamAgentOutput) return;
      const shown = messageText(text, false).trimEnd();
      // What stands in the way of a slow terminal is bounded by what one turn says.
      void screen.show(`${kind === "tool" ? shown.replace(/^/gm, "  ") : shown}\n`);
      live?.touch();
    },
    close: noneDropped,
  };
  return {
    teller,
    view: {
      entry: (_scene, { entry, before, after }) => {
        const moment = { event: entry.event, before, after };
        progress.entry(entry, after);
        if (isWorthTelling(moment)) say(...linesOf(moment));
      },
      check: (_scene, kind, command, result) => {
        const known = kind === "guardrail" || kind === "check" || kind === "baseline";
        if (known) progress.check(kind, command, result === null);
        if (result ? kind !== "baseline" : !live) say(checkLine(kind, command, result));
      },
      // Told also when nothing else is: who relies on a notification has to know that it did not arrive.
      note: (note) => screen.tell(noteLine(note)),
      say: once((words) => screen.tell(paint("yellow", `  ! ${messageText(words, false)}`))),
    },
    answer: live ? screen.tell : onNewLine,
    begin: (...run) => say(...beginLines(...run)),
    end: (id, state) => {
      live?.close();
      for (const line of endLines(id, state, passing)) screen.tell(line);
    },
    close: () => live?.close(),
  };
}

/** What holds for every part of a run is told with the first one. */
function once(say: (words: string) => void): (words: string) => void {
  const said = new Set<string>();
  return (words) => {
    if (!said.has(words)) say(words);
    said.add(words);
  };
}

/** The run's own messages say where it is; a step proves nothing, so nothing is told of its claim. */
const isWorthTelling = ({ event, after }: Moment): boolean =>
  event.type !== "turn.began" && (after.spec?.ends !== "turn" || event.type !== "claim.judged");

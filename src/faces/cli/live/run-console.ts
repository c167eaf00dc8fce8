import type { ProgressReporter } from "../../../core/platform.ts";
import type { RunStarted } from "../../../core/workflow/events.ts";
import type { RunState } from "../../../core/workflow/state.ts";
import type { RunView } from "../../../doors/workflow/context.ts";
import { paint } from "../../terminal/paint.ts";
import type { Cli } from "../context.ts";
import { linesOf, type Moment, noteLine } from "../views/event-lines.ts";
import { beginLines, runEndLines, runMessageText } from "../views/run-lines.ts";
import { checkLine, type OutputOptions, openOutput } from "./console.ts";
import { followProgress } from "./progress.ts";
import { statusLine } from "./status-line.ts";
import { keepStatus } from "./status-screen.ts";

export interface RunOutput extends Omit<OutputOptions, "raw"> {
  /** The run is not kept, so no commands to look at it are shown. */
  passing?: boolean;
}

interface RunConsole {
  reporter: ProgressReporter;
  view: RunView;
  answer(line: string): void;
  begin(id: string, started: RunStarted, part: number): void;
  end(id: string, state: RunState): void;
  close(): void;
}

export const openRunConsole = (cli: Cli, options: RunOutput): RunConsole =>
  options.json ? jsonConsole(cli) : textConsole(cli, options);

const nothing = () => undefined;
const noneDropped = async () => ({ dropped: 0 });

function jsonConsole(cli: Cli): RunConsole {
  return {
    reporter: { mode: "batch", report: nothing, close: noneDropped },
    view: {
      run: (event) => cli.printJson({ type: "run", event }),
      entry: ({ name }, { entry }) => cli.printJson({ type: "entry", part: name, ...entry }),
      note: (note) => (note.type === "files.excluded" ? undefined : cli.printJson(note)),
      say: (words) => cli.printJson({ type: "note", words }),
    },
    answer: cli.answer,
    begin: (id, { workflow: { name, parts }, message }) =>
      cli.printJson({ type: "begin", run: id, workflow: name, parts: parts.length, message }),
    end: (id, { started, status, detail, metadata, spent, dropped }) =>
      cli.printJson({
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

function textConsole(cli: Cli, { quiet = false, streamAgentOutput = true, passing = false }: RunOutput): RunConsole {
  const { screen, lively } = openOutput(cli, { quiet });
  const progress = followProgress();
  const live = lively
    ? keepStatus(cli, screen, ({ columns }) => statusLine(progress.current(), Date.now(), columns))
    : null;
  const rich = Boolean(cli.process.stderr.isTTY);
  const say = (...lines: string[]) => {
    if (quiet) return;
    for (const line of lines) screen.tell(line);
    live?.touch();
  };
  const reporter: ProgressReporter = {
    mode: "stream",
    report({ kind, text }) {
      if (kind === "progress") return say(runMessageText(text, rich));
      if (quiet || !streamAgentOutput) return;
      const shown = runMessageText(text, false).trimEnd();
      // The backlog of a slow terminal is bounded by the output of one turn.
      void screen.show(`${kind === "tool" ? shown.replace(/^/gm, "  ") : shown}\n`);
      live?.touch();
    },
    close: noneDropped,
  };
  return {
    reporter,
    view: {
      entry: (_scene, { entry, before, after }) => {
        const moment = { event: entry.event, before, after, loop: entry.loop };
        progress.entry(entry, after);
        if (isWorthShowing(moment)) say(...linesOf(moment));
      },
      check: (_scene, kind, command, result) => {
        const known = kind === "guardrail" || kind === "check" || kind === "baseline";
        if (known) progress.check(kind, command, result === null);
        if (result ? kind !== "baseline" : !live) say(checkLine(kind, command, result));
      },
      // Reported also with --quiet: a lost notification must be noticed.
      note: (note) => screen.tell(noteLine(note)),
      say: once((words) => screen.tell(paint("yellow", `  ! ${runMessageText(words, false)}`))),
    },
    answer: live ? screen.tell : cli.answer,
    begin: (...run) => say(...beginLines(...run)),
    end: (id, state) => {
      live?.close();
      for (const line of runEndLines(id, state, passing)) screen.tell(line);
    },
    close: () => live?.close(),
  };
}

/** A note about every part of a run is shown only with the first. */
function once(say: (words: string) => void): (words: string) => void {
  const said = new Set<string>();
  return (words) => {
    if (!said.has(words)) say(words);
    said.add(words);
  };
}

/** The run's own messages show its progress; a step proves nothing, so its claim is not shown. */
const isWorthShowing = ({ event, after }: Moment): boolean =>
  event.type !== "turn.began" && (after.spec?.ends !== "turn" || event.type !== "claim.judged");

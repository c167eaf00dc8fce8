import { fstatSync, readFileSync } from "node:fs";
import type { Size } from "../../terminal/alternate-screen.ts";
import { fitCells } from "../../terminal/cells.ts";
import { catchSuspend } from "../../terminal/suspend.ts";
import type { Cli, CliProcess } from "../context.ts";
import type { Screen, Terminal } from "./screen.ts";

/** Whether both streams go to the same terminal, file or pipe. */
export function isOnePlace({ stdout, stderr }: CliProcess): boolean {
  if (stdout.fd === undefined || stderr.fd === undefined) return stdout === stderr;
  try {
    const [out, err] = [fstatSync(stdout.fd), fstatSync(stderr.fd)];
    return out.dev === err.dev && out.ino === err.ino;
  } catch {
    return false; // one of them is closed
  }
}

/** Whether a status line can be drawn: on one terminal that supports it, outside CI. */
export const isLively = (own: CliProcess): boolean =>
  Boolean(own.stdout.isTTY && own.stderr.isTTY && own.env.TERM !== "dumb" && !isTrue(own.env.CI) && isOnePlace(own));

const isTrue = (value: string | undefined): boolean => value !== undefined && !["", "0", "false"].includes(value);

export const terminalOf = ({ printRaw, process: { stdout, stderr } }: Cli, lively: boolean): Terminal => ({
  out: printRaw,
  err: (output) => void stderr.write(output),
  size: () => (lively && isInForeground() ? { columns: stderr.columns || 80, rows: stderr.rows || 24 } : null),
  isBusy: () => stdout.writableLength > 0,
});

/** A background process must not draw over the shell. Known on Linux; elsewhere assumed to be in the foreground. */
function isInForeground(): boolean {
  try {
    const stat = readFileSync("/proc/self/stat", "latin1");
    // After the name, which may contain anything: state, parent, group, session, terminal, the terminal's group.
    const [, , group, , , foreground] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return group === foreground;
  } catch {
    return true;
  }
}

const TICK_MS = 1_000;
const LEAST_MS = 100;

/** A status that stays up to date: about once a second, and when something happens. */
export interface Live {
  touch(): void;
  close(): void;
}

/** `lines` are the status for a size; each is cut to one line of the terminal. */
export function keepStatus({ process: own }: Cli, screen: Screen, lines: (size: Size) => readonly string[]): Live {
  let drawnAt = 0;
  let soon: NodeJS.Timeout | null = null;
  const draw = () => {
    drawnAt = Date.now();
    const size = { columns: own.stderr.columns || 80, rows: own.stderr.rows || 24 };
    // One cell stays free, so that no line ever wraps.
    const fitted = lines(size).map((line) => fitCells(line, size.columns - 1));
    screen.draw(fitted.join("\n"));
  };
  const later = () => {
    soon = null;
    draw();
  };
  const ticking = setInterval(draw, TICK_MS).unref();
  const unsuspend = catchSuspend(own, { leave: async () => screen.erase(), enter: draw });
  own.stderr.on("resize", draw);
  own.on("exit", screen.erase);
  return {
    touch() {
      const waitMs = drawnAt + LEAST_MS - Date.now();
      if (waitMs <= 0) draw();
      else soon ??= setTimeout(later, waitMs).unref();
    },
    close() {
      clearInterval(ticking);
      if (soon) clearTimeout(soon);
      unsuspend();
      own.stderr.off("resize", draw);
      own.off("exit", screen.erase);
      screen.erase();
    },
  };
}

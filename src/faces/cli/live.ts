import { fstatSync, readFileSync } from "node:fs";
import { fitCells } from "./cells.ts";
import { paint } from "./paint.ts";
import { print } from "./print.ts";
import type { Screen, Terminal } from "./screen.ts";

/** Whether both streams end in the same place, be it a terminal, a file or a pipe. */
export function isOnePlace(): boolean {
  try {
    const [out, err] = [fstatSync(1), fstatSync(2)];
    return out.dev === err.dev && out.ino === err.ino;
  } catch {
    return false; // one of them is closed
  }
}

/** Whether a status line can be drawn: on one terminal that understands how, in front of a person. */
export const isLively = (): boolean =>
  Boolean(
    process.stdout.isTTY &&
      process.stderr.isTTY &&
      process.env.TERM !== "dumb" &&
      !isTrue(process.env.CI) &&
      isOnePlace(),
  );

const isTrue = (value: string | undefined): boolean => value !== undefined && !["", "0", "false"].includes(value);

/** The terminal of this process. */
export const ownTerminal = (lively: boolean): Terminal => ({
  out: print,
  err: (output) => void process.stderr.write(output),
  size: () =>
    lively && isInForeground() ? { columns: process.stderr.columns || 80, rows: process.stderr.rows || 24 } : null,
  isBusy: () => process.stdout.writableLength > 0,
});

/** In the background the terminal is the shell's, and what a person types there. Known on Linux; elsewhere taken for granted. */
function isInForeground(): boolean {
  try {
    const stat = readFileSync("/proc/self/stat", "latin1");
    // After the name, which may hold anything: state, parent, group, session, terminal, the terminal's group.
    const [, , group, , , foreground] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return group === foreground;
  } catch {
    return true;
  }
}

const TICK_MS = 1_000;
const LEAST_MS = 100;

/** A status line that stays up to date: about once a second, and when something happens. */
interface Live {
  /** Something happened. */
  touch(): void;
  close(): void;
}

export function keepStatus(screen: Screen, text: () => string): Live {
  let drawnAt = 0;
  let soon: NodeJS.Timeout | null = null;
  const draw = () => {
    drawnAt = Date.now();
    // One cell stays free for the cursor, another so that the line never wraps.
    const line = fitCells(text(), (process.stderr.columns || 80) - 2);
    screen.draw(line && paint("dim", ` ${line}`));
  };
  const later = () => {
    soon = null;
    draw();
  };
  const suspend = () => {
    screen.erase();
    process.kill(process.pid, "SIGSTOP");
  };
  const ticking = setInterval(draw, TICK_MS).unref();
  process.stderr.on("resize", draw);
  process.on("SIGTSTP", suspend);
  process.once("exit", screen.erase);
  return {
    touch() {
      const waitMs = drawnAt + LEAST_MS - Date.now();
      if (waitMs <= 0) draw();
      else soon ??= setTimeout(later, waitMs).unref();
    },
    close() {
      clearInterval(ticking);
      if (soon) clearTimeout(soon);
      process.stderr.off("resize", draw);
      process.off("SIGTSTP", suspend);
      process.off("exit", screen.erase);
      screen.erase();
    },
  };
}

import { writeSync } from "node:fs";
import { openFrames, type Row } from "./frame.ts";
import { type Key, openKeys } from "./keys.ts";
import { catchSuspend } from "./suspend.ts";
import type { TerminalProcess } from "./terminal-process.ts";

export interface Size {
  columns: number;
  rows: number;
}

/** Why the screen closed by itself: a signal to the process, the end of its input, or the terminal is gone. */
export type TerminalEnd = "SIGINT" | "SIGTERM" | "SIGHUP" | "input-ended" | "gone";

interface TerminalRequest {
  process: TerminalProcess;
  /** Every key except Ctrl-Z and Ctrl-L. */
  onKey(key: Key): void;
  /** The size may have changed: the next frame is to be drawn for this one. */
  onResize(size: Size): void;
  /** The terminal is being restored already. The process does not end by itself. */
  onEnd(why: TerminalEnd): void;
}

export interface Terminal {
  size(): Size;
  draw(rows: readonly Row[]): void;
  /** Restores the terminal; resolves when it has. */
  close(): Promise<void>;
}

const CSI = "\u001b[";
/** Alternate screen, no cursor, no wrapped lines (whatever width the terminal gives a character), pastes are marked. */
const ENTER = `${CSI}?1049h${CSI}?25l${CSI}?7l${CSI}?2004h`;
const LEAVE = `${CSI}?2026l${CSI}m${CSI}?2004l${CSI}?7h${CSI}?25h${CSI}?1049l`;
/** Ends a sequence that was cut. */
const CANCEL = "\u0018";
/** A terminal that takes nothing for so long is not waited for. */
const RESTORE_MS = 1_000;

/** Takes over the terminal until `close`. It is restored on every exit of the process except SIGKILL. */
export function openTerminal({ process: own, onKey, onResize, onEnd }: TerminalRequest): Terminal {
  const { stdin, stdout, env } = own;
  const size = (): Size => ({ columns: stdout.columns || 80, rows: stdout.rows || 24 });
  const frames = openFrames(stdout, { colours: !env.NO_COLOR, rows: () => size().rows });
  const closing: (() => void)[] = [];
  let isOpen = false;
  let restored = Promise.resolve();

  function enter(): void {
    isOpen = true;
    setBlocking(stdout, false);
    setRaw(stdin, true);
    stdout.write(ENTER);
    frames.repaint();
  }
  function leave(): Promise<void> {
    if (!isOpen) return restored;
    isOpen = false;
    frames.pause();
    setRaw(stdin, false);
    setBlocking(stdout, true);
    restored = written(stdout, LEAVE);
    return restored;
  }
  function close(): Promise<void> {
    const done = leave();
    for (const undo of closing.splice(0)) undo();
    return done;
  }
  /** The process ends: nothing asynchronous happens any more. */
  function leaveNow(): void {
    if (!isOpen) return;
    const isBehind = stdout.writableLength > 0;
    void leave();
    if (isBehind) writeNow(stdout, CANCEL + LEAVE);
  }
  const end = (why: TerminalEnd) => () => {
    void close();
    onEnd(why);
  };
  const resized = () => {
    if (!isOpen) return;
    frames.repaint();
    onResize(size());
  };
  const press = (key: Key): void => {
    if (!isOpen) return;
    // As the terminal would: all processes of the command, such as those of npx.
    if (key === "ctrl-z") own.kill(0, "SIGTSTP");
    else if (key === "ctrl-l") frames.repaint();
    else onKey(key);
  };
  closing.push(
    catchSuspend(own, {
      leave,
      enter() {
        enter();
        onResize(size());
      },
    }),
    readKeys(stdin, press),
    listen(stdin, { end: end("input-ended"), error: end("gone") }),
    listen(stdout, { resize: resized, error: end("gone") }),
    listen(own, {
      ...{ SIGINT: end("SIGINT"), SIGTERM: end("SIGTERM"), SIGHUP: end("SIGHUP") },
      ...{ exit: leaveNow, uncaughtExceptionMonitor: leaveNow },
    }),
  );
  // Errors after the first one mean the same.
  for (const stream of [stdin, stdout]) if (!stream.listeners("error").includes(ignore)) stream.on("error", ignore);
  enter();
  return { size, draw: frames.draw, close };
}

const ignore = () => undefined;

function readKeys(stdin: TerminalProcess["stdin"], press: (key: Key) => void): () => void {
  const keys = openKeys();
  let waiting: NodeJS.Timeout | undefined;
  const hear = (chunk: Buffer) => {
    clearTimeout(waiting);
    for (const key of keys.push(chunk)) press(key);
    const waitMs = keys.waitMs();
    if (waitMs !== null) waiting = setTimeout(() => keys.flush().forEach(press), waitMs);
  };
  stdin.on("data", hear);
  stdin.resume();
  return () => {
    clearTimeout(waiting);
    stdin.off("data", hear);
    // Otherwise it would keep the process running.
    stdin.pause();
  };
}

interface Emitter<Name extends string> {
  on(event: Name, listener: () => void): unknown;
  off(event: Name, listener: () => void): unknown;
}

function listen<Name extends string>(emitter: Emitter<NoInfer<Name>>, listeners: Record<Name, () => void>): () => void {
  const each = Object.entries(listeners) as [Name, () => void][];
  for (const [event, listener] of each) emitter.on(event, listener);
  return () => {
    for (const [event, listener] of each) emitter.off(event, listener);
  };
}

/** Node writes to terminals synchronously. One that is slow or stopped would stop the whole process. */
function setBlocking(stdout: TerminalProcess["stdout"] & { _handle?: unknown }, on: boolean): void {
  const handle = stdout._handle as { setBlocking?(on: boolean): void } | null | undefined;
  handle?.setBlocking?.(on);
}

function setRaw(stdin: TerminalProcess["stdin"], on: boolean): void {
  try {
    stdin.setRawMode?.(on);
  } catch {
    // The terminal is gone, which its streams report.
  }
}

/** Resolves once the terminal has taken a text, is gone, or does not react. */
const written = (stdout: TerminalProcess["stdout"], text: string): Promise<void> =>
  new Promise((done) => {
    const giveUp = setTimeout(done, RESTORE_MS);
    stdout.write(text, () => {
      clearTimeout(giveUp);
      done();
    });
  });

function writeNow({ fd }: TerminalProcess["stdout"], text: string): void {
  try {
    if (fd !== undefined) writeSync(fd, text);
  } catch {
    // The terminal is gone.
  }
}

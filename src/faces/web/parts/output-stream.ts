/** A piece of an agent's output. */
export interface Piece {
  iteration: number;
  attempt: number;
  text: string;
}

export type OutputState = "reading" | "complete" | "lost";

export interface Following {
  /** The output from its beginning, as JSON Lines. */
  open(quit: AbortSignal): AsyncIterable<string>;
  onPieces(pieces: readonly Piece[]): void;
  onState(state: OutputState): void;
  /** Whether more may come after the end. */
  isLive(): boolean;
  /** Whether the page is visible: browsers open at most six connections to a host, so a hidden page has none. */
  isShown(): boolean;
  backoffMs?: readonly number[];
}

const BACKOFF_MS = [500, 1_000, 2_000, 5_000];

/** Reads output until it is closed, and again after a lost connection: nothing is reported twice. */
export function followOutput(following: Following): { changed(): void; close(): void } {
  const { isLive, isShown, backoffMs = BACKOFF_MS } = following;
  const quit = new AbortController();
  const { rest, wake } = rests(quit.signal);
  const connection = connections(following);
  const pauseAfter = (failures: number): number => backoffMs[Math.min(failures, backoffMs.length - 1)] ?? 0;

  /** Reads once, and rests until there is a reason to read again. */
  async function step(failures: number): Promise<number> {
    const isWhole = await connection.read();
    if (quit.signal.aborted || (!isWhole && !isShown())) return failures;
    if (isWhole && isLive()) {
      // It ended before the view knows that its loop has stopped, or was resumed: a stream is read from its beginning.
      await rest(pauseAfter(backoffMs.length));
      return 0;
    }
    connection.report(isWhole ? "complete" : "lost");
    await rest(isWhole ? null : pauseAfter(failures));
    return isWhole ? 0 : failures + 1;
  }

  void (async () => {
    for (let failures = 0; !quit.signal.aborted; ) {
      if (isShown()) failures = await step(failures);
      else await rest(null);
    }
  })();

  return {
    changed() {
      if (!isShown()) connection.abort();
      else wake();
    },
    close() {
      quit.abort();
      connection.abort();
      wake();
    },
  };
}

/** Pauses that can be cut short, and are none after the end. */
function rests(quit: AbortSignal) {
  let end: (() => void) | null = null;
  const wake = () => end?.();
  return {
    wake,
    /** Until `wake` is called, or for some time. */
    rest: (ms: number | null): Promise<void> =>
      new Promise((resolve) => {
        if (quit.aborted) return resolve();
        const timer = ms === null ? undefined : setTimeout(wake, ms);
        end = () => {
          clearTimeout(timer);
          end = null;
          resolve();
        };
      }),
  };
}

/** One connection after another; each reports only what those before it did not. */
function connections({ open, onPieces, onState }: Following) {
  let current: AbortController | null = null;
  let known: OutputState | null = null;
  const received = new Map<string, number>();
  function report(state: OutputState): void {
    if (state !== known) onState(state);
    known = state;
  }
  return {
    report,
    abort: () => current?.abort(),
    /** Whether the output was read to its end. */
    async read(): Promise<boolean> {
      current = new AbortController();
      const { signal } = current;
      const skip = new Map(received);
      try {
        for await (const pieces of piecesIn(open(signal))) {
          report("reading");
          const fresh = pieces.map((piece) => unseen(piece, skip)).filter(({ text }) => text !== "");
          for (const piece of fresh) count(received, piece);
          if (fresh.length > 0) onPieces(fresh);
        }
        return !signal.aborted;
      } catch {
        // Whatever ends a connection, the next attempt is the answer.
        return false;
      } finally {
        current = null;
      }
    },
  };
}

const keyOf = ({ iteration, attempt }: Piece): string => `${iteration}.${attempt}`;

const count = (counts: Map<string, number>, piece: Piece): void => {
  counts.set(keyOf(piece), (counts.get(keyOf(piece)) ?? 0) + piece.text.length);
};

/** The part of a piece after what an earlier connection has brought. */
function unseen(piece: Piece, skip: Map<string, number>): Piece {
  const known = skip.get(keyOf(piece)) ?? 0;
  skip.set(keyOf(piece), Math.max(0, known - piece.text.length));
  return known === 0 ? piece : { ...piece, text: piece.text.slice(known) };
}

/** The pieces of each chunk, however the lines are cut. */
export async function* piecesIn(chunks: AsyncIterable<string>): AsyncGenerator<Piece[]> {
  let rest = "";
  for await (const chunk of chunks) {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    yield lines.filter((line) => line !== "").map((line) => JSON.parse(line) as Piece);
  }
}

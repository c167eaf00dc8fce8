interface Cursor {
  row: number;
  column: number;
  /** The last column was written: the next character goes to the next line. */
  wraps: boolean;
}

export interface Size {
  columns: number;
  rows: number;
}

const PIECES = /\u001b(?:\[[\d;?]*([A-Za-z])|([78D]))|[\s\S]/gu;

/**
 * A small terminal: the lines that a user sees of a program's output, including everything that scrolled away.
 * It understands what Ralph and the tests' agents print, and throws at anything else.
 */
export function screenOf(printed: string, { columns, rows }: Size): string[] {
  const screen: string[][] = [[]];
  /** The first row on the screen. */
  const top = () => Math.max(0, screen.length - rows);
  let at: Cursor = { row: 0, column: 0, wraps: false };
  let saved = at;

  const down = () => {
    at = { ...at, row: at.row + 1, wraps: false };
    while (screen.length <= at.row) screen.push([]);
  };
  const toBegin = () => {
    at = { ...at, column: 0, wraps: false };
  };
  const nextLine = () => {
    down();
    toBegin();
  };
  const put = (character: string) => {
    if (at.wraps) nextLine();
    const line = screen[at.row] ?? [];
    while (line.length < at.column) line.push(" ");
    line[at.column] = character;
    at = at.column + 1 < columns ? { ...at, column: at.column + 1 } : { ...at, wraps: true };
  };
  const commands: Record<string, () => void> = {
    "\n": nextLine,
    "\r": toBegin,
    A: () => {
      at = { ...at, row: Math.max(top(), at.row - 1), wraps: false };
    },
    B: () => {
      at = { ...at, row: Math.min(screen.length - 1, at.row + 1), wraps: false };
    },
    // A line down in the same column.
    D: down,
    // Saved positions are relative to the screen, which may scroll meanwhile.
    "7": () => {
      saved = { ...at, row: at.row - top() };
    },
    "8": () => {
      at = { ...saved, row: saved.row + top() };
    },
    J: () => {
      screen[at.row]?.splice(at.column);
      for (const line of screen.slice(at.row + 1)) line.splice(0);
    },
    m: () => undefined,
    // Modes, such as that of a synchronized update.
    h: () => undefined,
    l: () => undefined,
  };

  for (const [piece, final, short] of printed.matchAll(PIECES)) {
    const command = commands[final ?? short ?? (piece < " " ? piece : "")];
    if (command) command();
    else if (piece.length <= 2 && piece >= " ") put(piece);
    else throw new Error(`this terminal does not know ${JSON.stringify(piece)}`);
  }
  const lines = screen.map((line) => line.join("").trimEnd());
  return lines.join("\n").trimEnd().split("\n");
}

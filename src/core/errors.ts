/** The exit codes of the CLI contract. */
export const EXIT = { verified: 0, stopped: 1, usage: 2, interrupted: 130 } as const;

interface RalphErrorInit {
  hint?: string | undefined;
  exitCode?: number;
  cause?: unknown;
}

/** The error type of this codebase: a code to look up, a message that names the problem, a hint on how to fix it. */
export class RalphError extends Error {
  override readonly name = "RalphError";
  readonly code: string;
  readonly hint: string | undefined;
  readonly exitCode: number;

  constructor(code: string, message: string, init: RalphErrorInit = {}) {
    super(message, { cause: init.cause });
    this.code = code;
    this.hint = init.hint;
    this.exitCode = init.exitCode ?? EXIT.usage;
  }

  /** The same error with another message or hint; its cause is this one. */
  with({ message = this.message, hint = this.hint }: { message?: string; hint?: string }): RalphError {
    return new RalphError(this.code, message, { hint, exitCode: this.exitCode, cause: this });
  }

  /** The message and the hint. */
  text(between = "\n"): string {
    return [this.message, this.hint].filter(Boolean).join(between);
  }
}

// Those of another bundle count as well: the board and the hook events are bundled apart.
Object.defineProperty(RalphError, Symbol.hasInstance, {
  value(this: unknown, value: unknown): boolean {
    if (this === RalphError) return value instanceof Error && value.name === "RalphError";
    return Function.prototype[Symbol.hasInstance].call(this as () => void, value);
  },
});

/** For `.catch`: errors with one of these codes become null. */
export const nullOn =
  (...codes: string[]) =>
  (error: unknown): null => {
    if (error instanceof RalphError && codes.includes(error.code)) return null;
    throw error;
  };

/** The message of any thrown value. */
export const messageOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown));

/** The code of an error of Node, such as ENOENT; empty if it has none. */
export const codeOf = (error: unknown): string => (error instanceof Error && "code" in error ? String(error.code) : "");

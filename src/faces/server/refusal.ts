import { namingUpdate } from "../../adapters/io/updated.ts";
import { RalphError } from "../../core/errors.ts";
import type { Fault } from "../../core/schema/faults.ts";

export class Refusal extends RalphError {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, code: string, message: string, hint: string, headers: Record<string, string> = {}) {
    super(code, message, { hint });
    this.status = status;
    this.headers = headers;
  }
}

/** What is wrong with the parts of a request, each with the name of its field. */
export const badRequest = (what: string, faults: readonly Pick<Fault, "text">[]): Refusal =>
  new Refusal(
    400,
    "bad-request",
    `${what}: ${faults.map(({ text }) => text).join("; ")}`,
    "GET /openapi.json shows what is expected",
  );

export const badBody = (faults: readonly Pick<Fault, "text">[]): Refusal => badRequest("the body", faults);

/** The HTTP status of an error, by its code. */
function statusOf({ code }: RalphError): number {
  if (/-(unknown|missing|unproven|unbegun)$/.test(code)) return 404;
  if (/-(ambiguous|held|ended|begun|waits)$|^fenced$/.test(code)) return 409;
  if (code === "closing" || code === "ralph-updated") return 503;
  if (code === "signature-refused") return 401;
  if (code === "disk-full") return 507;
  return /^(file|database)-/.test(code) ? 500 : 422;
}

/** The response to a failed request: what is wrong and how to fix it, without a stack trace. */
export function errorResponse(thrown: unknown, log: (line: string) => void): Response {
  const error = namingUpdate(thrown);
  if (error instanceof Refusal) return tell(error.status, error, error.headers);
  if (error instanceof RalphError) return tell(statusOf(error), error);
  log(`a request failed because of ${reportOf(error)}`);
  return tell(500, new RalphError("bug", "this is a bug in Ralph", { hint: "the server's output has the details" }));
}

/** An error for the operator of the server. */
export function reportOf(thrown: unknown): string {
  const error = namingUpdate(thrown);
  if (error instanceof RalphError) return error.text(": ");
  return `a bug: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
}

const tell = (status: number, { code, message, hint }: RalphError, headers = {}): Response =>
  Response.json({ error: { code, message, hint: hint ?? null } }, { status, headers });

import { tellComplaints } from "./complaints.ts";
import { RalphError } from "./errors.ts";

/** The value of a JSON text, with or without a byte order mark; undefined if it is none. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch {
    return undefined;
  }
}

/** The value of a JSON file. Throws a RalphError that shows the place of a mistake. */
export async function parseJson(
  source: string,
  { file, code, hint }: { file: string; code: string; hint: string },
): Promise<unknown> {
  try {
    return JSON.parse(source);
  } catch (cause) {
    const { lineAt, syntaxComplaint } = await import("./schema/json-syntax.ts");
    const complaint = syntaxComplaint(source) ?? { line: 1, column: 1, text: String(cause) };
    throw new RalphError(code, `${tellComplaints(file, [complaint])}\n${lineAt(source, complaint)}`, { hint, cause });
  }
}

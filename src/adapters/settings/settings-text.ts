import { tellComplaints } from "../../core/complaints.ts";
import { RalphError } from "../../core/errors.ts";
import { repeatsKeys } from "../../core/repeated-keys.ts";
import { faultsOf } from "../../core/schema/faults.ts";
import type { Settings } from "../../core/schema/settings.ts";

/**
 * The settings in the text of a file, whose name the messages use. Throws a RalphError that tells every mistake at its
 * place. The schema is loaded only where there is something to read, and what finds places only where there is a mistake.
 */
export async function parseSettings(text: string, file: string): Promise<Settings> {
  // Some editors on Windows begin a file with a byte order mark.
  const source = text.replace(/^\uFEFF/, "");
  const value = await parseJson(source, file);
  const { validateSettings } = await import("../../core/schema/settings.ts");
  const parsed = validateSettings(value);
  if (parsed.success && !repeatsKeys(source, value)) return parsed.data;
  const { locate } = await import("../../core/schema/json-places.ts");
  const complaints = locate(source, parsed.success ? [] : faultsOf(parsed.error));
  throw new RalphError("settings-invalid", tellComplaints(file, complaints), {
    hint: "mend the file; docs/settings.md lists every key",
  });
}

async function parseJson(source: string, file: string): Promise<unknown> {
  try {
    return JSON.parse(source);
  } catch (cause) {
    const { lineAt, syntaxComplaint } = await import("../../core/schema/json-syntax.ts");
    const complaint = syntaxComplaint(source) ?? { line: 1, column: 1, text: String(cause) };
    throw new RalphError("settings-unreadable", `${tellComplaints(file, [complaint])}\n${lineAt(source, complaint)}`, {
      hint: 'it has to be a JSON file such as {"agent": {"command": "claude"}}',
      cause,
    });
  }
}

import { tellComplaints } from "../../core/complaints.ts";
import { RalphError } from "../../core/errors.ts";
import { parseJson } from "../../core/json-text.ts";
import { repeatsKeys } from "../../core/repeated-keys.ts";
import { type Fault, faultsOf } from "../../core/schema/faults.ts";
import type { Settings } from "../../core/schema/settings.ts";

/** Throws a RalphError that lists every mistake with its position. Schema and positions are loaded when needed. */
export async function parseSettings(text: string, file: string): Promise<Settings> {
  // Some editors on Windows write a byte order mark.
  const source = text.replace(/^\uFEFF/, "");
  const value = await parseJson(source, { file, ...UNREADABLE });
  const { validateSettings } = await import("../../core/schema/settings.ts");
  const parsed = validateSettings(value);
  const faults = [...(parsed.success ? [] : faultsOf(parsed.error)), ...(await platformFaults(value))];
  if (parsed.success && faults.length === 0 && !repeatsKeys(source, value)) return parsed.data;
  const { locate } = await import("../../core/schema/json-places.ts");
  const complaints = locate(source, faults);
  throw new RalphError("settings-invalid", tellComplaints(file, complaints), {
    hint: "fix the file; docs/settings.md lists every key",
  });
}

const UNREADABLE = {
  code: "settings-unreadable",
  hint: 'it must be a JSON file such as {"agent": {"command": "claude"}}',
};

/** The platforms are loaded only where the settings name one. */
async function platformFaults(settings: unknown): Promise<Fault[]> {
  if (typeof settings !== "object" || settings === null || !("platforms" in settings)) return [];
  const { platformSettings } = await import("../platforms/platforms.ts");
  const { error } = platformSettings().safeParse(settings.platforms);
  return error ? faultsOf(error, ["platforms"]) : [];
}

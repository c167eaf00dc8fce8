import { settingValues } from "../../../../adapters/settings/origins.ts";
import { readTaskSettings, type SettingsFiles } from "../../../../adapters/settings/settings-files.ts";
import { RalphError } from "../../../../core/errors.ts";
import { hideSecrets } from "../../../../core/secrets.ts";
import type { DoctorFinding } from "./finding.ts";

/** The finding about the settings of a folder; `files` is null if `ralph run` would refuse them. */
export async function readableSettings(cwd: string): Promise<{ finding: DoctorFinding; files: SettingsFiles | null }> {
  const name = "settings";
  try {
    const files = await readTaskSettings(cwd, undefined);
    const says = files.paths.join(", ") || "none: the defaults count";
    return { finding: { name, is: "ok", says, values: settingValues(files.layers, files.paths) }, files };
  } catch (error) {
    if (!(error instanceof RalphError)) throw error;
    const { message, hint = "" } = error;
    return { finding: { name, is: "problem", says: hideSecrets(message), hint }, files: null };
  }
}

import { mergeSettings } from "../../harness/settings.ts";
import { type OpenPlatforms, openPlatforms } from "../conversation/platforms.ts";
import { readSettings } from "../settings-files.ts";

/** The platforms that the settings of a folder name. */
export async function platformsOf(cwd: string, settingsPath: string | undefined): Promise<OpenPlatforms> {
  const { layers } = await readSettings(cwd, settingsPath);
  return openPlatforms(mergeSettings(...layers).platforms);
}

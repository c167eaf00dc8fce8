import { mergeSettings } from "../../adapters/settings/settings.ts";
import { readSettings } from "../../adapters/settings/settings-files.ts";
import { type OpenPlatforms, openPlatforms } from "../../doors/chat/platforms.ts";

/** The platforms that the settings of a folder name. */
export async function platformsOf(cwd: string, settingsPath: string | undefined): Promise<OpenPlatforms> {
  const { layers } = await readSettings(cwd, settingsPath);
  return openPlatforms(mergeSettings(...layers).platforms);
}

import { textAt } from "../../../adapters/io/look.ts";
import { settingsPathsIn } from "../../../adapters/settings/settings-files.ts";
import { RalphError } from "../../../core/errors.ts";
import type { PipelineSettings } from "../settings.ts";
import { type KeptChange, type PinRequest, ruleOf } from "./pin-book.ts";

/** The settings of an execution from when it started. */
export interface SettingsPin {
  readonly settings: PipelineSettings;
  look(): Promise<void>;
  kept(): KeptChange[];
}

interface SettingsPinRequest extends Pick<PinRequest, "view" | "acceptChanges"> {
  cwd: string;
  settingsPath?: string | undefined;
  read(): Promise<PipelineSettings>;
}

export async function pinSettings(request: SettingsPinRequest): Promise<SettingsPin> {
  const { cwd, settingsPath, view, acceptChanges, read } = request;
  const paths = settingsPathsIn(cwd, settingsPath);
  const texts = () => paths.map(({ path }) => textAt(path));
  const before = texts();
  let reported = before;
  let settings = await read();
  const kept = new Map<string, KeptChange>();

  async function take(): Promise<void> {
    try {
      settings = await read();
    } catch (error) {
      if (!(error instanceof RalphError)) throw error;
      view.say(null, `the settings cannot be read, so the previous ones apply:  ${error.message}`);
    }
  }

  return {
    get settings() {
      return settings;
    },
    async look() {
      const now = texts();
      const last = reported;
      reported = now;
      const names = paths.filter((_, i) => now[i] !== last[i] && (acceptChanges || now[i] !== before[i]));
      for (const { name } of names) {
        view.say(null, `${name} was changed during this execution: ${ruleOf(request)}`);
        if (!acceptChanges) kept.set(name, { task: null, what: name });
      }
      if (acceptChanges && names.length > 0) await take();
    },
    kept: () => [...kept.values()],
  };
}

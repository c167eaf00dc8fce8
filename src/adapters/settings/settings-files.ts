import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { messageOf, RalphError } from "../../core/errors.ts";
import type { Settings } from "../../core/schema/settings.ts";
import { foldersAbove } from "../io/checkout.ts";
import { seenFrom } from "../io/inside.ts";

export interface SettingsFiles {
  /** Lowest precedence first. */
  layers: Settings[];
  /** The files that were read, relative to the working directory. */
  paths: string[];
}

/** Like `readSettings`, plus the task settings in Specflow's configuration with the lowest precedence. */
export async function readTaskSettings(cwd: string, asked: string | undefined): Promise<SettingsFiles> {
  const { readSpecflowConfig } = await import("./specflow-config.ts");
  const specflow = await readSpecflowConfig(cwd);
  const { layers, paths } = await readSettings(cwd, asked);
  return specflow ? { layers: [specflow.layer, ...layers], paths: [specflow.path, ...paths] } : { layers, paths };
}

const DEFAULT_PATH = ".ralph/settings.json";

/** The default settings files. If a task changes them, its version takes effect when it is merged. */
export const SETTINGS_PATHS = [DEFAULT_PATH, ".ralph/settings.local.json", ".specflow/config.yaml"] as const;

/** Every file that task settings may be read from, whether or not it exists. */
export function settingsPathsIn(cwd: string, asked: string | undefined): { name: string; path: string }[] {
  const shared = resolve(cwd, asked ?? DEFAULT_PATH);
  return [shared, localBeside(shared), resolve(cwd, SETTINGS_PATHS[2])].map((path) => ({
    name: seenFrom(cwd, path),
    path,
  }));
}

const localBeside = (shared: string): string =>
  join(dirname(shared), basename(shared).replace(/(\.json)?$/, ".local.json"));

/** Reads the settings file and the personal one next to it. Only a file given by the user has to exist. */
export async function readSettings(cwd: string, asked: string | undefined): Promise<SettingsFiles> {
  const shared = resolve(cwd, asked ?? DEFAULT_PATH);
  if (asked !== undefined && !existsSync(shared)) {
    throw new RalphError("settings-missing", `there is no settings file ${asked}`, {
      hint: `check the path given with --settings (relative to ${cwd})`,
    });
  }
  if (asked === undefined && !existsSync(shared)) refuseElsewhere(cwd);
  const paths = [shared, localBeside(shared)].filter((path) => existsSync(path));
  const layers: Settings[] = [];
  // Sequential, so that the first of two invalid files is always the one reported.
  for (const path of paths) layers.push(await readLayer(path, seenFrom(cwd, path)));
  return { layers, paths: paths.map((path) => relative(cwd, path)) };
}

/** Settings that do not apply to this folder must not be ignored silently: they may define the checks. */
function refuseElsewhere(cwd: string): void {
  for (const at of foldersAbove(cwd)) {
    const path = join(at, DEFAULT_PATH);
    if (!existsSync(path)) continue;
    throw new RalphError("settings-elsewhere", `the settings of this repository are in ${path}, not in this folder`, {
      hint: `run ralph in ${at}, or specify the file: --settings ${relative(cwd, path)}`,
    });
  }
}

async function readLayer(path: string, shown: string): Promise<Settings> {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (cause) {
    const hint = "it must be a readable JSON file";
    throw new RalphError("settings-unreadable", `${shown}: ${messageOf(cause)}`, { hint, cause });
  }
  const { parseSettings } = await import("./settings-text.ts");
  return parseSettings(text, shown);
}

/** Adds the names of the settings files to an error in the completion criteria. */
export async function namingFiles<T>(paths: readonly string[], work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof RalphError)) throw error;
    const key = error.message.startsWith("completion") ? "" : "completion: ";
    throw error.with({ message: `${paths.join(" and ")}: ${key}${error.message}` });
  }
}

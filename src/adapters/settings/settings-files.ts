import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { messageOf, RalphError } from "../../core/errors.ts";
import type { Settings } from "../../core/schema/settings.ts";

export interface SettingsFiles {
  /** In order of precedence, the weakest first. */
  layers: Settings[];
  /** The files that were read, relative to the working directory. */
  paths: string[];
}

/** Those of tasks too: what another program's configuration says of them counts least. */
export async function readTaskSettings(cwd: string, asked: string | undefined): Promise<SettingsFiles> {
  const { readSpecflowConfig } = await import("./specflow-config.ts");
  const specflow = await readSpecflowConfig(cwd);
  const { layers, paths } = await readSettings(cwd, asked);
  return specflow ? { layers: [specflow.layer, ...layers], paths: [specflow.path, ...paths] } : { layers, paths };
}

const DEFAULT_PATH = ".ralph/settings.json";

/** Where settings are looked for unless somebody names another file: what lies there once a task is merged counts. */
export const SETTINGS_PATHS = [DEFAULT_PATH, ".ralph/settings.local.json", ".specflow/config.yaml"] as const;

/** Every file that settings of tasks may be read from, whether it is there or not. */
export function settingsPathsIn(cwd: string, asked: string | undefined): { name: string; path: string }[] {
  const shared = resolve(cwd, asked ?? DEFAULT_PATH);
  return [shared, localBeside(shared), resolve(cwd, SETTINGS_PATHS[2])].map((path) => ({
    name: seenFrom(cwd, path),
    path,
  }));
}

const localBeside = (shared: string): string =>
  join(dirname(shared), basename(shared).replace(/(\.json)?$/, ".local.json"));

/** Reads the settings file and the personal one beside it. Only a file that was asked for has to be there. */
export async function readSettings(cwd: string, asked: string | undefined): Promise<SettingsFiles> {
  const shared = resolve(cwd, asked ?? DEFAULT_PATH);
  if (asked !== undefined && !existsSync(shared)) {
    throw new RalphError("settings-missing", `there is no settings file ${asked}`, {
      hint: `check the path given with --settings (seen from ${cwd})`,
    });
  }
  if (asked === undefined && !existsSync(shared)) refuseElsewhere(cwd);
  const paths = [shared, localBeside(shared)].filter((path) => existsSync(path));
  const layers: Settings[] = [];
  // In their order: of two broken files the first one is told, every time.
  for (const path of paths) layers.push(await readLayer(path, seenFrom(cwd, path)));
  return { layers, paths: paths.map((path) => relative(cwd, path)) };
}

/** Settings of the repository that do not reach this folder must not be passed over in silence: they may hold the checks. */
function refuseElsewhere(cwd: string): void {
  for (let at = cwd; !existsSync(join(at, ".git")) && dirname(at) !== at; ) {
    at = dirname(at);
    const path = join(at, DEFAULT_PATH);
    if (!existsSync(path)) continue;
    throw new RalphError("settings-elsewhere", `the settings of this repository are in ${path}, not in this folder`, {
      hint: `run ralph in ${at}, or name them: --settings ${relative(cwd, path)}`,
    });
  }
}

async function readLayer(path: string, shown: string): Promise<Settings> {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (cause) {
    const why = messageOf(cause);
    throw new RalphError("settings-unreadable", `${shown}: ${why}`, {
      hint: "it has to be a JSON file that you may read",
      cause,
    });
  }
  const { parseSettings } = await import("./settings-text.ts");
  return parseSettings(text, shown);
}

/** Names the settings files in the error of criteria that are wrong: only settings have any. */
export async function namingFiles<T>(paths: readonly string[], work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof RalphError)) throw error;
    const { code, message, hint, exitCode } = error;
    const key = message.startsWith("completion") ? "" : "completion: ";
    const named = `${paths.join(" and ")}: ${key}${message}`;
    throw new RalphError(code, named, { exitCode, cause: error, ...(hint === undefined ? {} : { hint }) });
  }
}

/** A path as people see it from where they are: a file elsewhere keeps its whole name. */
function seenFrom(cwd: string, path: string): string {
  const way = relative(cwd, path);
  return way.startsWith("..") ? path : way;
}

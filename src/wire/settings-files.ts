import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { RalphError } from "../core/errors.ts";
import { Settings } from "../core/schema/settings.ts";

export interface SettingsFiles {
  /** In order of precedence, the weakest first. */
  layers: Settings[];
  /** The files that were read, relative to the working directory. */
  paths: string[];
}

const DEFAULT_PATH = ".ralph/settings.json";

/** Reads the settings file and the personal one beside it. Only a file that was asked for has to be there. */
export function readSettings(cwd: string, asked: string | undefined): SettingsFiles {
  const shared = resolve(cwd, asked ?? DEFAULT_PATH);
  if (asked !== undefined && !existsSync(shared)) {
    throw new RalphError("settings-missing", `there is no settings file ${asked}`, { hint: "check --settings" });
  }
  const local = join(dirname(shared), basename(shared).replace(/(\.json)?$/, ".local.json"));
  const paths = [shared, local].filter((path) => existsSync(path));
  return { layers: paths.map(readLayer), paths: paths.map((path) => relative(cwd, path)) };
}

function readLayer(path: string): Settings {
  const parsed = Settings.safeParse(parseJson(path));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const key = issue?.path.length ? `${issue.path.join(".")}: ` : "";
  throw new RalphError("settings-invalid", `${path}: ${key}${issue?.message ?? "not valid"}`, {
    hint: "mend it; the README lists the settings",
  });
}

function parseJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new RalphError("settings-unreadable", `${path}: ${why}`, { hint: "it has to be a JSON file", cause: error });
  }
}

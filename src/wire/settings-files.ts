import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { RalphError } from "../core/errors.ts";
import type { Settings } from "../core/schema/settings.ts";

export interface SettingsFiles {
  /** In order of precedence, the weakest first. */
  layers: Settings[];
  /** The files that were read, relative to the working directory. */
  paths: string[];
}

const DEFAULT_PATH = ".ralph/settings.json";

/** Reads the settings file and the personal one beside it. Only a file that was asked for has to be there. */
export async function readSettings(cwd: string, asked: string | undefined): Promise<SettingsFiles> {
  const shared = resolve(cwd, asked ?? DEFAULT_PATH);
  if (asked !== undefined && !existsSync(shared)) {
    throw new RalphError("settings-missing", `there is no settings file ${asked}`, {
      hint: `check the path given with --settings (seen from ${cwd})`,
    });
  }
  if (asked === undefined && !existsSync(shared)) refuseElsewhere(cwd);
  const local = join(dirname(shared), basename(shared).replace(/(\.json)?$/, ".local.json"));
  const paths = [shared, local].filter((path) => existsSync(path));
  return { layers: await Promise.all(paths.map(readLayer)), paths: paths.map((path) => relative(cwd, path)) };
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

/** The schema is loaded only where there is something to read: it is the largest part of the program. */
async function readLayer(path: string): Promise<Settings> {
  const { settingsSchema } = await import("../core/schema/settings.ts");
  const parsed = settingsSchema.safeParse(parseJson(path));
  if (parsed.success) return parsed.data;
  const wrong = parsed.error.issues.slice(0, MOST_ISSUES).map(({ path: keys, message }) => {
    return `${path}: ${keys.length > 0 ? `${keys.join(".")}: ` : ""}${message}`;
  });
  throw new RalphError("settings-invalid", wrong.join("\n"), { hint: "mend the file; nothing was started" });
}

const MOST_ISSUES = 5;

function parseJson(path: string): unknown {
  try {
    // Some editors on Windows begin a file with a byte order mark.
    return JSON.parse(readFileSync(path, "utf8").replace(/^\uFEFF/, ""));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new RalphError("settings-unreadable", `${path}: ${why}`, {
      hint: 'it has to be a JSON file such as {"agent": {"command": "claude"}}',
      cause: error,
    });
  }
}

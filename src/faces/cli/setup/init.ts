import { constants, copyFileSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { fileError } from "../../../adapters/io/folder.ts";
import { entryAt } from "../../../adapters/io/look.ts";
import { excludeRalphFiles, ralphFolder } from "../../../adapters/io/ralph-folder.ts";
import { replaceFile } from "../../../adapters/io/replace-file.ts";
import { RalphError } from "../../../core/errors.ts";
import type { Settings } from "../../../core/schema/settings.ts";

export const SETTINGS = ".ralph/settings.json";
const KEPT = `${SETTINGS}.bak`;
const SCHEMA_COPY = ".ralph/settings.schema.json";
const INSTALLED_SCHEMA = "node_modules/ralph-engine/schema/settings.schema.json";
/** Relative to dist/, where this file is bundled. */
const OWN_SCHEMA = fileURLToPath(new URL("../schema/settings.schema.json", import.meta.url));

/** Refuses before any question is asked: existing settings are the user's work. */
export function refuseExisting(cwd: string, { force }: { force: boolean }): void {
  if (!isThere(join(cwd, SETTINGS))) return;
  if (!force) {
    throw new RalphError("settings-exist", `settings already exist: ${SETTINGS}`, {
      hint: `change that file, or write a new one with \`ralph init --force\`, which keeps the old one as ${KEPT}`,
    });
  }
  if (!isThere(join(cwd, KEPT))) return;
  throw new RalphError("settings-kept", `${KEPT} already exists, and the current settings would replace it`, {
    hint: `move ${KEPT} away, then \`ralph init --force\` again`,
  });
}

/** Where editors find the schema of the settings: in the installed package, or in a copy next to them. */
interface SchemaPlace {
  /** The value of `$schema`; null if there is no schema. */
  reference: string | null;
  source: string | null;
}

/** An absolute path to this installation would be wrong on other machines. */
export function schemaPlace(cwd: string, own = OWN_SCHEMA): SchemaPlace {
  if (existsSync(join(cwd, INSTALLED_SCHEMA))) return { reference: `../${INSTALLED_SCHEMA}`, source: null };
  return existsSync(own) ? { reference: "./settings.schema.json", source: own } : { reference: null, source: null };
}

interface InitFiles {
  settings: Settings;
  schema: SchemaPlace;
  force: boolean;
}

/** Writes the settings and related files; the settings come last, and atomically. Returns the files written. */
export function writeInit(cwd: string, { settings, schema, force }: InitFiles): string[] {
  refuseExisting(cwd, { force });
  const written: string[] = [];
  try {
    ralphFolder(cwd);
    const excluded = excludeRalphFiles(cwd);
    if (excluded !== null) written.push(excluded);
    if (schema.source !== null) {
      replaceFile(join(cwd, SCHEMA_COPY), readFileSync(schema.source));
      written.unshift(SCHEMA_COPY);
    }
    if (isThere(join(cwd, SETTINGS))) {
      copyFileSync(join(cwd, SETTINGS), join(cwd, KEPT), constants.COPYFILE_EXCL);
      written.unshift(KEPT);
    }
    replaceFile(join(cwd, SETTINGS), settingsText(settings));
  } catch (error) {
    throw fileError(error, join(cwd, ".ralph")).with({ hint: IN_RALPH_FOLDER });
  }
  return [SETTINGS, ...written];
}

const IN_RALPH_FOLDER = "ralph init writes into .ralph/ of this folder: make it writable, then run it again";

export const settingsText = (settings: Settings): string => `${JSON.stringify(settings, null, 2)}\n`;

/** Whether a path exists; a broken link does. */
export const isThere = (path: string): boolean => entryAt(path) !== undefined;

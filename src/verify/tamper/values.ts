import { relative, resolve } from "node:path";
import { jsonAt, statAt, textAt } from "../../adapters/io/look.ts";
import { walkFiles } from "../../adapters/io/walk-files.ts";
import { fieldOf } from "../../core/field.ts";
import { isOfThisMachine, SEALED } from "../../core/fingerprints.ts";
import type { Fingerprints } from "../../core/loop/spec.ts";
import { sectionText, testsTurnedOff } from "../../core/tamper/sections.ts";
import { openLook, sha256, stateDigest } from "./file-state.ts";
import { filesMatching, NAMES_AT } from "./globs.ts";
import { isProgram, programState } from "./programs.ts";

/** A single value: its digest, and enough text to describe a change. Null if it does not exist. */
export type Value = { sha: string; text: string } | null;

const KEPT_CHARS = 20_000;

export const kept = (text: string | null): Value =>
  text === null ? null : { sha: sha256(text), text: text.slice(0, KEPT_CHARS) };

/** Whether the text is complete, so that its effect can be compared. */
export const isWhole = (value: Value): boolean => (value?.text.length ?? 0) < KEPT_CHARS;

/** The key for tests that a Cargo.toml turns off. The agent may change everything else in the file. */
const CARGO_TESTS = "tests turned off";

/** How many files there are, and a digest of them all: their names stay out of messages. */
function sealedState(path: string): string | null {
  const stats = statAt(path);
  if (!stats) return null;
  const files = stats.isDirectory() ? [...walkFiles(path, "", { skip: new Set(), most: MOST_SEALED })] : [""];
  const look = openLook(path);
  const digests = files.map((file) => `${file}\0${stateDigest(look.state(file))}`);
  return `${files.length} files, ${sha256(digests.join("\n")).slice(0, 12)}`;
}

const MOST_SEALED = 10_000;

/** Reads a value by its key: `program npm`, `package.json#scripts.test`, `pyproject.toml#tool.pytest`. */
export function readValue(root: string, key: string): Value {
  if (isProgram(key)) return kept(programState(key, root));
  if (key.startsWith(SEALED)) return kept(sealedState(resolve(root, key.slice(SEALED.length))));
  const [file = "", ...rest] = key.split("#");
  const name = rest.join("#");
  const path = resolve(root, file);
  if (key.endsWith(NAMES_AT))
    return kept(
      filesMatching(file, root)
        .map((name) => relative(root, name))
        .join("\n") || null,
    );
  if (name === CARGO_TESTS) return kept(testsTurnedOff(textAt(path)));
  return kept(file.endsWith(".json") ? jsonValue(path, name) : sectionText(textAt(path), name));
}

/** `scripts.<name>`: everything after the first dot is the name, which may contain dots. */
function jsonValue(path: string, name: string): string | null {
  const [, outer = name, inner] = /^([^.]+)(?:\.(.+))?$/.exec(name) ?? [];
  const found = fieldOf(jsonAt(path), outer);
  const value = inner === undefined ? found : fieldOf(found, inner);
  return value === undefined ? null : JSON.stringify(value);
}

/** The fingerprints of files and values that do not match another checkout of the same folder. */
export function differing(root: string, fingerprints: Fingerprints): string[] {
  const look = openLook(root);
  const digest = (key: string) => (key.includes("#") ? readValue(root, key)?.sha : stateDigest(look.state(key)));
  return Object.keys(fingerprints).filter((key) => !isOfThisMachine(key) && digest(key) !== fingerprints[key]);
}

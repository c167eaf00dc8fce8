import { isOfThisMachine } from "../../core/fingerprints.ts";
import type { Fingerprints } from "../../core/loop/spec.ts";
import { openLook, stateDigest } from "./file-state.ts";
import { readValue } from "./values.ts";

/** Which fingerprints of files, and of values in them, do not fit another checkout of the same folder. */
export function differing(root: string, fingerprints: Fingerprints): string[] {
  const look = openLook(root);
  const digest = (key: string) => (key.includes("#") ? readValue(root, key)?.sha : stateDigest(look.state(key)));
  return Object.keys(fingerprints).filter((key) => !isOfThisMachine(key) && digest(key) !== fingerprints[key]);
}

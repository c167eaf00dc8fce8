import { keyName } from "../../core/complaints.ts";
import type { Settings } from "../../core/schema/settings.ts";
import { hideSecrets, hideSecretWords } from "../../core/secrets.ts";
import { mergeSettings } from "./settings.ts";

/** One effective value and the file it came from. Likely secrets are hidden. */
export interface SettingValue {
  key: string;
  value: unknown;
  from: string;
}

/** The effective settings of these files, lowest precedence first. */
export function settingValues(layers: readonly Settings[], files: readonly string[]): SettingValue[] {
  const { $schema, ...merged } = mergeSettings(...layers);
  return leavesOf(merged, []).map(({ path, value }) => ({
    key: keyName(path),
    value: withoutSecrets(value),
    from: files[layers.findLastIndex((layer) => contains(layer, path))] ?? "",
  }));
}

interface Leaf {
  path: readonly PropertyKey[];
  value: unknown;
}

/** A list of plain values is one value; objects and lists of objects are split up. */
function leavesOf(value: unknown, path: readonly PropertyKey[]): Leaf[] {
  if (typeof value !== "object" || value === null) return [{ path, value }];
  if (!Array.isArray(value)) return Object.entries(value).flatMap(([key, inner]) => leavesOf(inner, [...path, key]));
  const plain = value.every((item) => typeof item !== "object");
  return plain ? [{ path, value }] : value.flatMap((item, i) => leavesOf(item, [...path, i]));
}

/** A list replaces the one of a lower layer entirely, so the file with the list has all its items. */
function contains(layer: Settings, path: readonly PropertyKey[]): boolean {
  let node: unknown = layer;
  for (const part of path) {
    if (typeof part === "number") return true;
    if (typeof node !== "object" || node === null || !Object.hasOwn(node, part)) return false;
    node = Object.entries(node).find(([key]) => key === part)?.[1];
  }
  return true;
}

function withoutSecrets(value: unknown): unknown {
  if (typeof value === "string") return hideSecrets(value);
  return Array.isArray(value) ? hideSecretWords(value.map(String)) : value;
}

import { existsSync } from "node:fs";
import { join } from "node:path";
import { faultsOf } from "../../core/schema/faults.ts";
import type { Settings } from "../../core/schema/settings.ts";
import { readText } from "../io/text-file.ts";
import { faultyYaml, readYaml } from "../io/yaml-text.ts";

const FILE = ".specflow/config.yaml";

/** Reads the key `ralph` in Specflow's configuration. Null if there is none. */
export async function readSpecflowConfig(cwd: string): Promise<{ layer: Settings; path: string } | null> {
  if (!existsSync(join(cwd, FILE))) return null;
  const hint = "fix its key ralph; docs/settings.md lists what it may contain";
  const source = await readText({ file: FILE, cwd, what: "file", hint: "it must be a readable YAML file" });
  const text = { file: FILE, source, hint };
  const block = blockOf(await readYaml(text));
  if (block === undefined || block === null) return null;
  const { readRalphSettings } = await import("../../core/schema/ralph.ts");
  const { data, error } = readRalphSettings(block);
  if (data) return { layer: { ralph: data }, path: FILE };
  const faults = faultsOf(error).map(({ path, at, text }) => ({
    path: ["ralph", ...path],
    at,
    text: path.length > 0 ? `ralph.${text}` : `ralph: ${text}`,
  }));
  throw await faultyYaml(text, faults);
}

function blockOf(value: unknown): unknown {
  return typeof value === "object" && value !== null && "ralph" in value ? value.ralph : undefined;
}

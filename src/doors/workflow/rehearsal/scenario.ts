import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { currentFolder } from "../../../adapters/io/environment.ts";
import { isInside, seenFrom } from "../../../adapters/io/inside.ts";
import { RalphError } from "../../../core/errors.ts";

/** The scenario of a part: the given file, or the part's own file if a folder is given. */
export function scenarioFor(scenario: string, part: string): string {
  if (!statSync(scenario, { throwIfNoEntry: false })?.isDirectory()) return scenario;
  const file = join(scenario, `${part}.yaml`);
  // The name of a part comes from the workflow's file.
  return isInside(file, scenario) ? file : join(scenario, "outside.yaml");
}

/** Throws if the scenario does not exist, or a folder has none for a part. */
export function requireScenarios(scenario: string, parts: readonly { name: string }[]): void {
  const shown = seenFrom(currentFolder(), scenario);
  if (!existsSync(scenario)) {
    throw new RalphError("scenario-missing", `there is no scenario ${shown}`, {
      hint: "--scenario names a file, or a folder with a <part>.yaml for each part",
    });
  }
  const missing = parts.filter(({ name }) => !existsSync(scenarioFor(scenario, name)));
  if (missing.length === 0) return;
  const what = `the folder ${shown} has no scenario for ${missing.map(({ name }) => name).join(", ")}`;
  const files = missing.map(({ name }) => join(shown, `${name}.yaml`)).join(", ");
  throw new RalphError("scenario-missing", what, { hint: `write ${files}; docs/scripted-agent.md shows how` });
}

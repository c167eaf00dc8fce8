import { mergeSettings } from "../../../../adapters/settings/settings.ts";
import type { SettingsFiles } from "../../../../adapters/settings/settings-files.ts";
import { RalphError } from "../../../../core/errors.ts";
import { sharedParts } from "../../../../core/loop/from-settings.ts";
import { unprotectedWords } from "../../../../core/loop/notes.ts";
import { settingsProof } from "../../../../core/proof/from-settings.ts";
import { ratingOf } from "../../../../core/proof/rating.ts";
import type { Settings } from "../../../../core/schema/settings.ts";
import { hideSecrets } from "../../../../core/secrets.ts";
import { protectionOf, unprotectedChecks } from "../../../../verify/tamper/unprotected.ts";
import { detectProject } from "../project.ts";
import type { DoctorFinding } from "./finding.ts";

const NAME = "checks";
const INIT = "`ralph init` writes them to the settings, or name one: ralph run --verify <command>";

/** How hard it is to pass the checks of the settings, or those that `init` would set, without doing the work. */
export async function checksFinding(cwd: string, { layers, paths }: SettingsFiles): Promise<DoctorFinding[]> {
  const settings = mergeSettings(...layers);
  try {
    const detected = await detectProject(cwd);
    const isSet = (settings.guardrails ?? []).length + (await settingsProof(settings)).stages.length > 0;
    const found = [...detected.verify, ...detected.guardrails].map(({ command }) => command);
    const protect = (settings.protect ?? []).filter((path) => !paths.includes(path));
    const rated = isSet ? settings : mergeSettings(settings, { verify: found });
    const rating = await rate(cwd, rated, { protect, proposal: detected.scope });
    if (!rating) return [];
    const { is, says, next } = rating;
    const words = `${is}: ${says}`;
    return isSet
      ? [{ name: NAME, is: is === "weak" ? "warning" : "ok", says: words, ...(next === "" ? {} : { hint: next }) }]
      : [{ name: NAME, is: "warning", says: `none are set; found: ${found.join(", ")} (${words})`, hint: INIT }];
  } catch (error) {
    if (!(error instanceof RalphError)) throw error;
    return [{ name: NAME, is: "warning", says: hideSecrets(error.message), hint: error.hint ?? "" }];
  }
}

/** Null without checks. */
async function rate(
  cwd: string,
  settings: Settings,
  { protect, proposal }: { protect: readonly string[]; proposal: readonly string[] },
) {
  const { guardrails } = sharedParts(settings);
  const proof = await settingsProof(settings);
  const checks = protectionOf({ cwd, guardrails, proof });
  if (checks.length === 0) return null;
  const bare = unprotectedChecks({ cwd, guardrails, proof }, protect);
  const rating = ratingOf({
    proof,
    checks: checks.length,
    counted: checks.filter(({ isCounted }) => isCounted).length,
    frozen: new Set(checks.flatMap(({ names }) => names)).size,
    bare: bare.length,
    proposal,
  });
  return bare.length === 0 ? rating : { ...rating, says: `${rating.says}; ${unprotectedWords(bare)}` };
}

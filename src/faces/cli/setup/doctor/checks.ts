import { mergeSettings } from "../../../../adapters/settings/settings.ts";
import type { SettingsFiles } from "../../../../adapters/settings/settings-files.ts";
import { RalphError } from "../../../../core/errors.ts";
import { sharedParts } from "../../../../core/loop/from-settings.ts";
import { unprotectedWords } from "../../../../core/loop/notes.ts";
import { settingsProof } from "../../../../core/proof/from-settings.ts";
import { ratingOf } from "../../../../core/proof/rating.ts";
import { hideSecrets } from "../../../../core/secrets.ts";
import { protectionOf, unprotectedChecks } from "../../../../verify/tamper/unprotected.ts";
import { detectProject } from "../project.ts";
import type { DoctorFinding } from "./finding.ts";

const NAME = "checks";

/** How hard it is to pass the checks of the settings without doing the work; nothing if there are none. */
export async function checksFinding(cwd: string, { layers, paths }: SettingsFiles): Promise<DoctorFinding[]> {
  const settings = mergeSettings(...layers);
  try {
    const { guardrails } = sharedParts(settings);
    const proof = await settingsProof(settings);
    const checks = protectionOf({ cwd, guardrails, proof });
    if (checks.length === 0) return [];
    const own = (settings.protect ?? []).filter((path) => !paths.includes(path));
    const bare = unprotectedChecks({ cwd, guardrails, proof }, own);
    const { is, says, next } = ratingOf({
      proof,
      checks: checks.length,
      counted: checks.filter(({ isCounted }) => isCounted).length,
      frozen: new Set(checks.flatMap(({ names }) => names)).size,
      bare: bare.length,
      proposal: (await detectProject(cwd)).scope,
    });
    const warning = bare.length > 0 ? `; ${unprotectedWords(bare)}` : "";
    return [{ name: NAME, is: is === "weak" ? "warning" : "ok", says: `${is}: ${says}${warning}`, ...hintOf(next) }];
  } catch (error) {
    if (!(error instanceof RalphError)) throw error;
    return [{ name: NAME, is: "warning", says: hideSecrets(error.message), hint: error.hint ?? "" }];
  }
}

const hintOf = (next: string): Pick<DoctorFinding, "hint"> => (next === "" ? {} : { hint: next });

import type { Settings } from "../schema/settings.ts";
import { commandStage } from "./methods/external.ts";
import { type CleanRoom, NO_PROOF, type Proof, uniquelyNamed } from "./proof.ts";

/** What a claim needs to count. The code for criteria is loaded only if there are any. */
export async function settingsProof(settings: Settings): Promise<Proof> {
  const { completion, templates, verify = [], checkTimeout } = settings;
  if (!completion)
    return { ...NO_PROOF, stages: uniquelyNamed(verify.map((command) => commandStage(command, checkTimeout))) };
  const { resolveProof } = await import("./resolve.ts");
  const { expandTemplates } = await import("./templates.ts");
  const { fittingCompletion } = await import("../schema/read-criteria.ts");
  const criteria = expandTemplates(fittingCompletion(completion), templates);
  const fields = { outcome: criteria.outcome ?? "", description: criteria.description ?? "" };
  return resolveProof(criteria, { verify, checkTimeoutS: checkTimeout, fields });
}

interface CompletionFlags {
  missingOk?: boolean;
  scope?: readonly string[];
  cleanRoom?: CleanRoom["mode"];
}

/** The part of the criteria that flags set, if any do. */
export function flagCompletion({ missingOk, scope, cleanRoom }: CompletionFlags): Settings {
  const completion = {
    ...(missingOk ? { missing_ok: true } : {}),
    ...(scope?.length ? { scope: [...scope] } : {}),
    // The settings may give the rest of the room.
    ...(cleanRoom ? { clean_room: { mode: cleanRoom } } : {}),
  };
  return Object.keys(completion).length > 0 ? { completion } : {};
}

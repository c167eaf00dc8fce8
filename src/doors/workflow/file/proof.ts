import { commandStage, isCommand } from "../../../core/proof/methods/external.ts";
import { sealedStages } from "../../../core/proof/methods/sealed.ts";
import { NO_PROOF, PLAIN_STAGE, type Proof, type Stage, uniquelyNamed } from "../../../core/proof/proof.ts";
import type { Settings } from "../../../core/schema/settings.ts";
import { referencedVariables } from "../../../core/workflow/environment.ts";
import type { LoopPart } from "../../../core/workflow/workflow.ts";

interface ProofRequest {
  part: Pick<LoopPart, "verify" | "untilBash">;
  settings: Settings;
  message: string;
  /** Environment variables of the commands. */
  variables: Readonly<Record<string, string>>;
}

/** What "done" means for a loop of a workflow. The reader of criteria is loaded only if needed. */
export async function loopProof({ part, settings, message, variables }: ProofRequest): Promise<Proof> {
  const proof = await verified(part.verify ?? settings.verify ?? [], settings, message);
  const stages = part.untilBash === null ? proof.stages : [decidedFirst(part.untilBash, proof, settings)];
  return { ...proof, stages: uniquelyNamed(stages).map((stage) => told(stage, variables)) };
}

async function verified(verify: NonNullable<LoopPart["verify"]>, settings: Settings, message: string): Promise<Proof> {
  const { checkTimeout, templates } = settings;
  if (isCommands(verify)) {
    const stages = verify.map((command) => commandStage(command, checkTimeout));
    const { zero_work_guard: zeroWorkGuard, missing_ok: missingOk } = settings.completion ?? {};
    const wanted = {
      ...(zeroWorkGuard === undefined ? {} : { zeroWorkGuard }),
      ...(missingOk === undefined ? {} : { missingOk }),
    };
    const sealed = sealedStages(settings.completion?.sealed, checkTimeout);
    return { ...NO_PROOF, ...wanted, ...(await settingsOracle(settings)), stages: [...stages, ...sealed] };
  }
  const { oracleKeys, resolveProof } = await import("../../../core/proof/resolve.ts");
  const { expandTemplates } = await import("../../../core/proof/templates.ts");
  const { fittingCompletion } = await import("../../../core/schema/read-criteria.ts");
  const criteria = expandTemplates(fittingCompletion({ ...oracleKeys(settings.completion), ...verify }), templates);
  const fields = { title: message, outcome: criteria.outcome ?? "", description: criteria.description ?? "" };
  return resolveProof(criteria, { verify: [], checkTimeoutS: checkTimeout, fields });
}

async function settingsOracle({ completion }: Settings): Promise<Partial<Proof>> {
  if (!completion) return {};
  const { oracleOf } = await import("../../../core/proof/resolve.ts");
  return oracleOf(completion);
}

const isCommands = (verify: NonNullable<LoopPart["verify"]>): verify is readonly string[] => Array.isArray(verify);

/** `until_bash` comes first: nothing else runs, or costs anything, before it passes. */
const decidedFirst = (command: string, { stages }: Proof, { checkTimeout }: Settings): Stage => {
  const first = commandStage(command, checkTimeout);
  if (stages.length === 0) return first;
  const name = "until_bash and verify";
  return { ...PLAIN_STAGE, method: "multi_stage", name, requireAll: true, stages: [first, ...stages] };
};

/** Stores the run's values that a command uses, so that the receipt can run it again. */
function told(stage: Stage, variables: ProofRequest["variables"]): Stage {
  if (stage.method === "multi_stage") return { ...stage, stages: stage.stages.map((inner) => told(inner, variables)) };
  if (!isCommand(stage)) return stage;
  return { ...stage, env: { ...referencedVariables(stage.command, variables), ...stage.env } };
}

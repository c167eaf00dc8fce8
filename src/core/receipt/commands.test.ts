import { expect, test } from "vitest";
import { someReceipt } from "../../../test/support/receipts.ts";
import { provedBy, someGuardrail, someSpec } from "../../../test/support/spec.ts";
import { commandStage, plainCommand } from "../proof/methods/external.ts";
import { PLAIN_STAGE, type Stage } from "../proof/proof.ts";
import { receiptSchema } from "../schema/receipt.ts";
import { recordedCommands, unrepeatable } from "./commands.ts";

const group = (name: string, required: boolean, stages: Stage[]): Stage => ({
  ...PLAIN_STAGE,
  name,
  required,
  method: "multi_stage",
  requireAll: true,
  stages,
});
const judged = (name: string): Stage => ({
  ...PLAIN_STAGE,
  name,
  method: "semantic",
  checkFor: ["it is good"],
  negativePatterns: [],
  judge: { by: "agent", agent: null, model: null },
  onError: "unknown",
  timeoutMs: 1,
});

const read = async (stages: Stage[]) => {
  const draft = await someReceipt({
    spec: someSpec({ proof: provedBy([], { stages }), guardrails: [someGuardrail({ command: "lint" })] }),
    verdict: { checks: [{ name: "b", command: "b", is: "pass", code: 0, reason: "", excerpt: "", log: null, ms: 1 }] },
  });
  return receiptSchema.parse({ ...draft, digest: `sha256:${"0".repeat(64)}` });
};

test("guardrails come first, then the commands of all groups; an optional group requires nothing", async () => {
  const stages = [commandStage("a"), group("q", false, [commandStage("b"), group("r", true, [commandStage("c")])])];
  const commands = recordedCommands(await read(stages));
  expect(commands.map(({ kind, command, required, was }) => [kind, command, required, was?.is])).toEqual([
    ["guardrail", "lint", true, "unknown"],
    ["check", "a", true, undefined],
    ["check", "b", false, "pass"],
    ["check", "c", false, undefined],
  ]);
});

test("a judge's decisions are named, unless optional", async () => {
  const match: Stage = { ...PLAIN_STAGE, name: "p", method: "string_match" };
  const stages = [match, judged("one"), group("q", false, [judged("two")])];
  expect(unrepeatable(await read(stages))).toEqual(["one"]);
});

test.each([
  "/etc",
  "..",
  "a/../..",
  "C:\\x",
  "",
])("a receipt with the working folder %j is invalid", async (workingDir) => {
  await expect(
    read([{ ...PLAIN_STAGE, name: "a", method: "external", ...plainCommand("a"), workingDir }]),
  ).rejects.toThrow(/inside the checkout/);
});

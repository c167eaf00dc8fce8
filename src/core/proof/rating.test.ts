import { expect, test } from "vitest";
import { sealedStages } from "./methods/sealed.ts";
import { NO_PROOF, type Proof, setUpFrom } from "./proof.ts";
import { type CheckFacts, ratingOf } from "./rating.ts";

const facts = (proof: Partial<Proof>, more: Partial<CheckFacts> = {}): CheckFacts => ({
  proof: { ...NO_PROOF, ...proof },
  ...{ checks: 1, counted: 1, frozen: 3, bare: 0, proposal: [] },
  ...more,
});
const ROOM = { mode: "oracle", ...setUpFrom({}) } as const;
const SEALED = sealedStages([{ from: "../x", to: "x", run: "x" }]);

test.each<[string, CheckFacts, string, RegExp]>([
  ["nothing protected", facts({}, { bare: 1 }), "weak", /"scope": \["src\/\*\*","\+test\/\*\*"\]/],
  ["protected files", facts({}, { proposal: ["lib/**"] }), "fair", /"scope": \["lib\/\*\*"\]/],
  ["a scope", facts({ scope: ["src/**"] }), "good", /"clean_room": "oracle"/],
  ["an oracle room", facts({ scope: ["src/**"], cleanRoom: ROOM }), "strong", /"sealed"/],
  ["sealed checks", facts({ scope: ["src/**"], cleanRoom: ROOM, stages: SEALED }), "strong", /^$/],
])("%s", (_name, given, is, next) => {
  expect(ratingOf(given)).toMatchObject({ is, next: expect.stringMatching(next) });
});

test("what is in force, in words", () => {
  expect(ratingOf(facts({ scope: ["src/**"], cleanRoom: ROOM, stages: SEALED }, { checks: 2 })).says).toBe(
    "2 checks · scope src/** · oracle room · 1 sealed · 1 counted · 3 protected (files, values, tests)",
  );
});

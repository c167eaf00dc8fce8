import { expect, test } from "vitest";
import { someSpec } from "../../../test/support/spec.ts";
import { NO_USAGE } from "../usage.ts";
import { upcast } from "./upcast.ts";

test("tampered entries used to be a list of paths", () => {
  const verdict = { is: "fail", reason: "tampered", checks: [] } as const;
  const judged = { type: "claim.judged", n: 1, try: 1, usage: NO_USAGE } as const;
  expect(upcast({ ...judged, verdict: { ...verdict, tampered: ["check.sh"] } })).toEqual({
    ...judged,
    verdict: { ...verdict, tampered: [{ path: "check.sh", change: "changed" }] },
  });
});

test("current entries are read unchanged", () => {
  const started = { type: "loop.started", spec: someSpec(), fingerprints: { a: "1" } } as const;
  expect(upcast(started)).toEqual(started);
});

test("a proof without missing_ok allows no missing command", () => {
  const spec = someSpec();
  const { missingOk: _, ...proof } = spec.proof;
  const read = upcast({ type: "loop.started", spec: { ...spec, proof }, fingerprints: {} });
  expect(read).toEqual({
    type: "loop.started",
    spec: { ...spec, proof: { ...proof, missingOk: false } },
    fingerprints: {},
  });
});

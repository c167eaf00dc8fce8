import { type CleanRoom, setUpFrom } from "../core/proof/proof.ts";
import { decidingKind } from "../core/test-files/file-role.ts";
import { inCleanRoom } from "./rooms/clean-room.ts";
import type { PlaceRequest } from "./rooms/room.ts";
import type { VerificationContext } from "./verification-context.ts";

/** Whether the path decides what the tests expect. */
const isOfTests = (path: string): boolean => !["configuration", null].includes(decidingKind(path));

/**
 * Whether the checks pass only with the tests that the work changed: they run once more on the new work with the tests
 * as they were at the start. False if it changed no existing test; null if stopped.
 */
export async function dependsOnChangedTests(
  request: PlaceRequest,
  runAs: (label: string) => PlaceRequest["run"],
): Promise<boolean | null> {
  const { work, context } = request;
  if (!work?.inside.some(({ path, before }) => before !== null && isOfTests(path))) return false;
  const { cleanRoom } = context.spec.proof;
  const room: CleanRoom = { ...(cleanRoom ?? setUpFrom({})), mode: "oracle" };
  const oldTests = { ...work, inside: work.inside.filter(({ path }) => !isOfTests(path)) };
  const label = `${request.label}-old-tests`;
  const run = runAs(label);
  const placed = await inCleanRoom(
    { ...request, work: oldTests, label, run: (at) => run({ ...at, view: withOldTests(at.view) }) },
    room,
  );
  return placed?.results.some(({ is, optional }) => is !== "pass" && !optional) ?? null;
}

const withOldTests = (view: VerificationContext["view"]): VerificationContext["view"] => ({
  ...view,
  check: (kind, command, result) => view.check(kind, `${command} (with the old tests)`, result),
});

import { expect, test } from "vitest";
import { NEW_RUN } from "../../../core/workflow/state.ts";
import { subjectsOf } from "./run.tsx";
import type { RunDetail } from "./run-facts.ts";

test("the page of a run is read again for the run and its own loops, not for those of others", () => {
  const loop = { id: "ab12" } as RunDetail["loops"][number];
  const lane = (name: string | null) => ({ attempt: 1, loop: name, ended: null });
  const state = { ...NEW_RUN, lanes: [lane("ab12"), lane("cd34"), lane(null)] };
  expect(subjectsOf("r1", { id: "r1ef", loops: [loop], state })).toEqual(["run/r1ef", "loop/ab12", "loop/cd34"]);
  expect(subjectsOf("r1", null)).toEqual(["run/r1"]);
});

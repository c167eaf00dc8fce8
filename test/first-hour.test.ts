import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";

test("the first hour of a new user works, and shows what the guides say", () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ["docs/record/screens.mjs"], { encoding: "utf8" });
  expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: "", stderr: "" });
});

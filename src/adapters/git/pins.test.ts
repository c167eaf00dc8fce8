import { symlinkSync } from "node:fs";
import { expect, test } from "vitest";
import { sandbox } from "../../../test/support/sandbox.ts";
import { gitPins } from "./pins.ts";

test.each([
  ["a hooks folder that is not a folder", "/dev/null"],
  ["a missing hooks folder", "nowhere"],
])("%s contains no hooks", async (_name, hooksPath) => {
  const box = sandbox();
  box.initGit();
  box.git("config", "core.hooksPath", hooksPath);
  const { values } = await gitPins(box.cwd, true);
  expect(values).toMatchObject({ ".git/hooks": null, "git config": `core.hookspath=${hooksPath}` });
});

test("unreadable attributes count as none", async () => {
  const box = sandbox();
  box.initGit();
  symlinkSync(".gitattributes", box.path(".gitattributes"));
  expect((await gitPins(box.cwd, true)).values[".gitattributes"]).toBeNull();
});

import { symlinkSync } from "node:fs";
import { expect, test } from "vitest";
import { sandbox } from "../../../test/support/sandbox.ts";
import { gitPins } from "./pins.ts";

test.each([
  ["a folder of hooks that is none", "/dev/null"],
  ["a folder of hooks that is not there", "nowhere"],
])("%s holds no hooks", async (_name, hooksPath) => {
  const box = sandbox();
  box.initGit();
  box.git("config", "core.hooksPath", hooksPath);
  const { values } = await gitPins(box.cwd, true);
  expect(values).toMatchObject({ ".git/hooks": null, "git config": `core.hookspath=${hooksPath}` });
});

test("attributes that nobody can read are none", async () => {
  const box = sandbox();
  box.initGit();
  symlinkSync(".gitattributes", box.path(".gitattributes"));
  expect((await gitPins(box.cwd, true)).values[".gitattributes"]).toBeNull();
});

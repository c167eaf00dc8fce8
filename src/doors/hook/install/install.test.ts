import { mkdirSync, mkdtempSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { hookFindings } from "../../../faces/cli/setup/doctor/hooks.ts";
import { hostStatuses, installHost } from "./install.ts";

test("Codex and OpenCode find hooks from a project's subfolder, and Claude Code does not", async () => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "ralph-install-")));
  const env = { HOME: join(root, "home"), CODEX_HOME: "", CLAUDE_CONFIG_DIR: "", XDG_CONFIG_HOME: "" };
  Object.assign(process.env, env, { RALPH_STATE_DIR: join(root, "state") });
  const below = join(root, "project/packages/a");
  mkdirSync(below, { recursive: true });
  mkdirSync(join(root, "project/.git"));
  for (const host of ["claude", "codex", "opencode"] as const) {
    await installHost({ host, scope: "project", cwd: join(root, "project"), force: false });
  }
  const hostsIn = async (cwd: string) =>
    (await hostStatuses(cwd)).flatMap(({ installed }) => installed.map(({ host }) => host));
  const unusedIn = async (cwd: string) =>
    (await hostStatuses(cwd)).flatMap(({ unused }) => unused?.installed.file ?? []);
  expect(await hostsIn(below)).toEqual(["codex", "opencode"]);
  expect(await unusedIn(below)).toEqual([join(root, "project/.claude/settings.json")]);
  expect(await unusedIn(join(root, "project"))).toEqual([]);
  expect(await hostsIn(root)).toEqual([]);
  const finding = (await hookFindings(below)).find(({ name }) => name === "claude hook");
  expect(finding).toMatchObject({ is: "warning", says: expect.stringContaining("does not apply here") });
});

import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { fileBlobs } from "../../src/adapters/io/file-blobs.ts";
import { plainCommand } from "../../src/core/proof/methods/external.ts";
import type { External } from "../../src/core/proof/proof.ts";
import { type CheckSetting, runCheck } from "../../src/verify/command/check.ts";

/** A folder for one test, removed after it, with the context of its checks. */
export function checkFolder() {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "ralph-check-")));
  onTestFinished(() => rmSync(root, { recursive: true, force: true, maxRetries: 5 }));
  const cwd = join(root, "work");
  mkdirSync(cwd);
  const stop = new AbortController();
  const setting: CheckSetting = {
    cwd,
    env: { RALPH_LOOP: "one" },
    token: `test/${root}`,
    graceMs: 50,
    stops: { soft: stop.signal, hard: new AbortController().signal },
    watchdog: null,
    excerptChars: 500,
  };
  let logs = 0;
  return {
    root,
    cwd,
    setting,
    stop: () => stop.abort(),
    write(name: string, content: string) {
      mkdirSync(dirname(join(cwd, name)), { recursive: true });
      writeFileSync(join(cwd, name), content);
    },
    check: (command: string, more: Partial<External & { cache: boolean }> = {}, given: Partial<CheckSetting> = {}) =>
      runCheck({ ...plainCommand(command), name: command, ...more }, fileBlobs(root).write(`log-${logs++}`), {
        ...setting,
        ...given,
      }),
  };
}

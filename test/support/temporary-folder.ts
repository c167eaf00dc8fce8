import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** All temporary files of a run of the tests are in one folder, which goes with it, whatever a test leaves behind. */
export function setup(): () => void {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "ralph-tests-")));
  process.env.TMPDIR = folder;
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}

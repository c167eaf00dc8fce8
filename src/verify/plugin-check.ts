import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Stops } from "../adapters/io/ending.ts";
import { temporaryFolder } from "../adapters/io/environment.ts";
import { fileBlobs } from "../adapters/io/file-blobs.ts";
import { packageFolder, pluginFiles } from "../adapters/plugin/find.ts";
import { RalphError } from "../core/errors.ts";
import type { LoopSpec } from "../core/loop/spec.ts";
import { type Leaf, leavesOf } from "../core/proof/proof.ts";

// Only for it to be loaded; what it does later has the time of its stage.
const MOST_MS = 60_000;

/** The stages of a loop that a plugin decides. */
export const pluginLeaves = ({ proof }: Pick<LoopSpec, "proof">): (Leaf & { method: "plugin" })[] =>
  leavesOf(proof.stages).filter((leaf) => leaf.method === "plugin");

/** The plugins that cannot be there, as far as that shows without loading any. */
export const missingPlugins = (spec: LoopSpec): string[] =>
  pluginLeaves(spec)
    .map(({ plugin }) => plugin)
    .filter((plugin) => !pluginFiles(spec.cwd).some(({ name }) => name === plugin) && !packageFolder(plugin, spec.cwd));

/** Refuses a plugin that is not there, cannot be loaded or does not take its configuration, before money is spent. */
export async function checkPlugins(spec: LoopSpec, stops: Stops): Promise<void> {
  const leaves = pluginLeaves(spec);
  if (leaves.length === 0) return;
  const { runPluginProcess } = await import("./plugin-process.ts");
  const folder = mkdtempSync(join(temporaryFolder(), "ralph-plugin-"));
  const setting = {
    cwd: spec.cwd,
    env: {},
    token: folder,
    timeoutMs: MOST_MS,
    graceMs: spec.patience.graceMs,
    stops,
    watchdog: null,
    log: fileBlobs(folder).write("log"),
    excerptChars: 1_000,
  };
  const about = { cwd: spec.cwd, loop: "", iteration: 0, claim: null, acceptanceCriteria: [], outcome: "" };
  try {
    for (const { plugin, config } of leaves) {
      const call = { mode: "check", plugin, config: { ...config }, home: spec.cwd, about } as const;
      const run = await runPluginProcess(call, setting);
      if (!run) return;
      const { outcome, excerpt } = run;
      if (outcome.is === "refused") {
        throw new RalphError("plugin-refused", [outcome.reason, excerpt.trim()].filter(Boolean).join("\n"), outcome);
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

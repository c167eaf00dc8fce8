import { mkdtempSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { temporaryFolder } from "../../adapters/io/environment.ts";
import { fileBlobs } from "../../adapters/io/file-blobs.ts";
import { PLUGIN_FOLDER, packageFolder, pluginFiles } from "../../adapters/plugin/find.ts";
import { RalphError } from "../../core/errors.ts";
import { cut } from "../../core/excerpt.ts";
import { type LeafOf, PLUGIN_PREFIX } from "../../core/proof/proof.ts";
import type { MethodRunner } from "./method.ts";

/** For loading only: later the timeout of the stage applies. */
const LOAD_MS = 60_000;

export const runPlugin: MethodRunner<LeafOf<"plugin">> = {
  async run({ name, plugin, config, timeoutMs }, { log }, { loop, spec, setting, state }) {
    const { answerOfPlugin, runPluginProcess } = await import("./plugin-process.ts");
    const claim = state?.turn?.claim ?? null;
    const about = {
      cwd: setting.cwd,
      loop,
      iteration: state?.n ?? 0,
      claim: claim && { text: claim.text, quote: claim.quote },
      acceptanceCriteria: [...spec.proof.acceptance],
      outcome: spec.proof.outcome,
    };
    // Loaded from the loop's folder: a checkout elsewhere contains what the agent committed.
    const call = { mode: "verify", plugin, config: { ...config }, home: spec.cwd, about } as const;
    const token = `${setting.token}/${basename(log.path)}/`;
    const run = await runPluginProcess(call, { ...setting, token, timeoutMs, log });
    if (!run) return null;
    const { is, reason, output } = answerOfPlugin(run.outcome, plugin);
    const excerpt = output === undefined ? run.excerpt : cut(output, setting.excerptChars);
    return { name, command: `${PLUGIN_PREFIX}${plugin}`, is, code: null, reason, excerpt, log: log.path, ms: run.ms };
  },
  /** Throws for a plugin that is missing, cannot be loaded or rejects its configuration. */
  async tryOut({ plugin, config }, { cwd, patience }, stops) {
    const { runPluginProcess } = await import("./plugin-process.ts");
    const folder = mkdtempSync(join(temporaryFolder(), "ralph-plugin-"));
    const about = { cwd, loop: "", iteration: 0, claim: null, acceptanceCriteria: [], outcome: "" };
    const call = { mode: "check", plugin, config: { ...config }, home: cwd, about } as const;
    try {
      const run = await runPluginProcess(call, {
        cwd,
        env: {},
        token: folder,
        timeoutMs: LOAD_MS,
        graceMs: patience.graceMs,
        stops,
        watchdog: null,
        log: fileBlobs(folder).write("log"),
        excerptChars: 1_000,
      });
      if (run?.outcome.is !== "refused") return;
      const { outcome, excerpt } = run;
      throw new RalphError("plugin-refused", [outcome.reason, excerpt.trim()].filter(Boolean).join("\n"), outcome);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
  missing({ plugin }, { cwd }) {
    if (pluginFiles(cwd).some(({ name }) => name === plugin) || packageFolder(plugin, cwd)) return [];
    const hint = `put it into ${PLUGIN_FOLDER}, or install the package`;
    return [new RalphError("plugin-refused", `there is no plugin ${plugin}`, { hint })];
  },
};

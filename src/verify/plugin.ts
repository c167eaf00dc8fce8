import { basename } from "node:path";
import type { BlobWriter } from "../core/blobs.ts";
import { cut, shorten } from "../core/excerpt.ts";
import type { CheckResult } from "../core/loop/events.ts";
import type { Leaf } from "../core/proof/proof.ts";
import { faultsOf } from "../core/schema/faults.ts";
import { type PluginCall, type PluginOutcome, pluginAnswer } from "../core/schema/plugin-call.ts";
import { runPluginProcess } from "./plugin-process.ts";
import type { Case } from "./verification-context.ts";

/** The journal keeps it, and every view shows it: what is long belongs into the output. */
const REASON_CHARS = 1_000;

/** Lets a plugin decide. Whatever is wrong with it is `unknown`, never a pass. Null when stopped on the way. */
export async function runPlugin(
  leaf: Leaf & { method: "plugin" },
  log: BlobWriter,
  about: Case,
): Promise<CheckResult | null> {
  const { plugin, config, timeoutMs } = leaf;
  const { spec, setting, state } = about;
  const claim = state?.turn?.claim ?? null;
  const call: Omit<PluginCall, "outcome"> = {
    mode: "verify",
    plugin,
    config: { ...config },
    // Found where the loop is: a checkout elsewhere has what the agent committed.
    home: spec.cwd,
    about: {
      cwd: setting.cwd,
      loop: about.loop,
      iteration: state?.n ?? 0,
      claim: claim && { text: claim.text, quote: claim.quote },
      acceptanceCriteria: [...spec.proof.acceptance],
      outcome: spec.proof.outcome,
    },
  };
  const token = `${setting.token}/${basename(log.path)}/`;
  const run = await runPluginProcess(call, { ...setting, token, timeoutMs, log });
  if (!run) return null;
  const { is, reason, output } = answerOf(run.outcome, plugin);
  const excerpt = output === undefined ? run.excerpt : cut(output, setting.excerptChars);
  return { name: leaf.name, command: `plugin:${plugin}`, is, code: null, reason, excerpt, log: log.path, ms: run.ms };
}

type Answer = Pick<CheckResult, "is" | "reason"> & { output?: string };

function answerOf(outcome: PluginOutcome, plugin: string): Answer {
  if (outcome.is === "refused") return { is: "unknown", reason: outcome.reason };
  if (outcome.is === "fits") return { is: "unknown", reason: `the plugin ${plugin} was not asked` };
  const { data, error } = pluginAnswer.safeParse(outcome.answer);
  if (data) return { ...data, reason: shorten(data.reason, REASON_CHARS) };
  const faults = faultsOf(error).map(({ text }) => text);
  return { is: "unknown", reason: `the plugin ${plugin} gave a wrong answer: ${faults.join("; ")}` };
}

import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { cut } from "../../core/excerpt.ts";
import { type PluginCall, type PluginOutcome, pluginCall } from "../../core/schema/plugin-call.ts";
import { installLoaderHooks } from "./hooks.ts";
import type { Verifier } from "./index.ts";
import { fittingConfig, loadPlugin, pluginErrorText, Unusable } from "./load.ts";

/*
 * The process of one plugin. Its output belongs to the plugin; the answer goes to a file. A process that ends without
 * writing that file has given no answer.
 */

const MOST_OUTPUT_CHARS = 100_000;

const call = pluginCall.parse(JSON.parse(readFileSync(process.argv[2] ?? "", "utf8")));
installLoaderHooks({ home: call.home });
report(await outcomeOf(call));
// Ends anything the plugin left running.
process.stdout.write("", () => process.exit(0));

async function outcomeOf({ mode, plugin, home, config }: PluginCall): Promise<PluginOutcome> {
  try {
    const verifier = await loadPlugin(plugin, home);
    const fitting = await fittingConfig(verifier, plugin, config);
    if (mode === "check") return { is: "fits" };
    // An answer that cannot be serialised is reported like anything else the plugin throws.
    return { is: "answered", answer: JSON.parse(JSON.stringify((await answerOf(verifier, fitting)) ?? null)) };
  } catch (error) {
    if (error instanceof Unusable) return { is: "refused", reason: error.message, hint: error.hint };
    console.error(error);
    return { is: "refused", reason: `the plugin ${plugin} threw: ${pluginErrorText(error)}`, hint: "see its log" };
  }
}

async function answerOf(verifier: Verifier<unknown>, config: unknown): Promise<unknown> {
  const stopping = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stopping.abort());
  const answer: unknown = await verifier.verify({ ...call.about, config, signal: stopping.signal });
  const isLong =
    typeof answer === "object" && answer !== null && "output" in answer && typeof answer.output === "string";
  return isLong ? { ...answer, output: cut(String(answer.output), MOST_OUTPUT_CHARS) } : answer;
}

/** Atomic: a reader sees the complete file or none. */
function report(outcome: PluginOutcome): void {
  const draft = `${call.outcome}.draft`;
  writeFileSync(draft, JSON.stringify(outcome));
  renameSync(draft, call.outcome);
}

import { timeWords } from "../../duration.ts";
import { openDeep } from "../../receipt/open.ts";
import { PLUGIN_PREFIX } from "../proof.ts";
import type { ProofMethod } from "./method.ts";

const DEFAULT_PLUGIN_TIMEOUT_S = 300;

/** A program by the user, written for the plugin interface. */
export const plugin: ProofMethod<"plugin"> = {
  backs: true,
  inBaseline: true,
  needsStart: false,
  inCleanRoom: true,
  costsMoney: false,
  configAlone: {},
  resolve: ({ method, plugin: name, config }, { common, timeoutS = DEFAULT_PLUGIN_TIMEOUT_S }) => ({
    ...common,
    name: common.name || name,
    method,
    plugin: name,
    config,
    timeoutMs: timeoutS * 1_000,
  }),
  subject: (leaf) => `plugin ${leaf.plugin}`,
  facts: ({ timeoutMs }) => [`at most ${timeWords(timeoutMs)}`],
  progress: ({ name }) => name,
  uses: (leaf) => ({ plugins: [leaf.plugin] }),
  receipt: ({ plugin: name, config, timeoutMs }, common) => ({
    ...common,
    method: `${PLUGIN_PREFIX}${name}`,
    config: openDeep(config),
    timeoutMs,
  }),
};

import { external } from "./methods/external.ts";
import type { AnyMethod, ProofMethod } from "./methods/method.ts";
import { plugin } from "./methods/plugin.ts";
import { sealed } from "./methods/sealed.ts";
import { semantic } from "./methods/semantic.ts";
import { stringMatch } from "./methods/string-match.ts";
import { type Leaf, leavesOf, type MethodName, PLUGIN_PREFIX, type Proof, type Stage } from "./proof.ts";

/** Every method of a stage that is not a group. `verify/methods.ts` has the table of how they run. */
const METHODS: { readonly [M in MethodName]: ProofMethod<M> } = {
  external,
  semantic,
  plugin,
  sealed,
  string_match: stringMatch,
};

export const methodOf = ({ method }: Pick<Leaf, "method">): AnyMethod => METHODS[method];

/** The method named in criteria or a receipt, such as `semantic` or `plugin:mine`; null for a group. */
export const methodNamed = (name: string): AnyMethod | null => {
  const known = name.startsWith(PLUGIN_PREFIX) ? "plugin" : name;
  return isMethod(known) ? METHODS[known] : null;
};

const isMethod = (name: string): name is MethodName => Object.hasOwn(METHODS, name);

/** The `verification_config` of criteria that only name a method. */
export function aloneConfig(method: string): { verification_config?: Record<string, unknown> } {
  const config = methodNamed(method)?.configAlone ?? {};
  return Object.keys(config).length > 0 ? { verification_config: { ...config } } : {};
}

/** The stages that back a claim with more than the agent's own word. */
export const backingLeaves = (stages: readonly Stage[]): Leaf[] =>
  leavesOf(stages).filter((leaf) => methodOf(leaf).backs);

/**
 * Whether anything beyond the agent's own word decides. The weaker the proof, the stricter the claim. Only checks that
 * can refuse a claim count: a rule is met by a commit or a word, and an optional check only warns.
 */
export const isBacked = ({ stages }: Pick<Proof, "stages">): boolean =>
  backingLeaves(stages).some(({ required }) => required);

/** The stages that run before any work is done. */
export const baselineLeaves = ({ baseline, stages }: Proof): Leaf[] =>
  baseline ? leavesOf(stages).filter((leaf) => methodOf(leaf).inBaseline) : [];

/** Whether the proof depends on what exactly has changed since the start. */
export const needsTrees = ({ scope, cleanRoom, differential }: Proof): boolean =>
  scope.length > 0 || cleanRoom?.mode === "oracle" || differential;

/** Whether the proof needs a baseline before the first iteration. */
export const needsBaseline = (proof: Proof): boolean =>
  needsTrees(proof) ||
  baselineLeaves(proof).length > 0 ||
  proof.rules.length > 0 ||
  leavesOf(proof.stages).some((leaf) => methodOf(leaf).needsStart);

/** What a stage does, on one line. */
export function leafWords(leaf: Leaf): string {
  const method = methodOf(leaf);
  const facts = [
    ...method.facts(leaf),
    ...(leaf.required ? [] : ["only warns"]),
    ...(leaf.parallel ? ["parallel"] : []),
    ...(leaf.requireRedFirst ? ["must fail before any work"] : []),
  ];
  return `${method.subject(leaf)}${facts.length > 0 ? `  (${facts.join(", ")})` : ""}`;
}

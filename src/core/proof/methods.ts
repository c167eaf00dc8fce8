import { external } from "./methods/external.ts";
import type { AnyMethod, ProofMethod } from "./methods/method.ts";
import { plugin } from "./methods/plugin.ts";
import { semantic } from "./methods/semantic.ts";
import { stringMatch } from "./methods/string-match.ts";
import { type Leaf, leavesOf, type MethodName, PLUGIN_PREFIX, type Proof, type Stage } from "./proof.ts";

/** Every method of a stage that is no group. `verify/methods.ts` has the same table of how they are run. */
const METHODS: { readonly [M in MethodName]: ProofMethod<M> } = {
  external,
  semantic,
  plugin,
  string_match: stringMatch,
};

export const methodOf = ({ method }: Pick<Leaf, "method">): AnyMethod => METHODS[method];

/** The method that criteria or a receipt name, such as `semantic` or `plugin:mine`; null for a group. */
export const methodNamed = (name: string): AnyMethod | null => {
  const known = name.startsWith(PLUGIN_PREFIX) ? "plugin" : name;
  return isMethod(known) ? METHODS[known] : null;
};

const isMethod = (name: string): name is MethodName => Object.hasOwn(METHODS, name);

/** The `verification_config` of criteria that name a method and nothing else. */
export function aloneConfig(method: string): { verification_config?: Record<string, unknown> } {
  const config = methodNamed(method)?.configAlone ?? {};
  return Object.keys(config).length > 0 ? { verification_config: { ...config } } : {};
}

/** The stages that back a claim by more than the agent's own word. */
export const backingLeaves = (stages: readonly Stage[]): Leaf[] =>
  leavesOf(stages).filter((leaf) => methodOf(leaf).backs);

/**
 * Whether anything beyond the agent's own word decides. The weaker the proof, the stricter the claim. Only checks that
 * can refuse a claim back it: a rule is met by a commit or a word, and an optional check only warns.
 */
export const isBacked = ({ stages }: Pick<Proof, "stages">): boolean =>
  backingLeaves(stages).some(({ required }) => required);

/** The stages that run before any work is done. */
export const baselineLeaves = ({ baseline, stages }: Proof): Leaf[] =>
  baseline ? leavesOf(stages).filter((leaf) => methodOf(leaf).inBaseline) : [];

/** Whether the proof has to learn something before the first iteration. */
export const needsBaseline = (proof: Proof): boolean =>
  baselineLeaves(proof).length > 0 ||
  proof.rules.length > 0 ||
  leavesOf(proof.stages).some((leaf) => methodOf(leaf).needsStart);

/** What a stage does, on one line for people. */
export function leafWords(leaf: Leaf): string {
  const method = methodOf(leaf);
  const facts = [
    ...method.facts(leaf),
    ...(leaf.required ? [] : ["only warns"]),
    ...(leaf.parallel ? ["parallel"] : []),
    ...(leaf.requireRedFirst ? ["has to fail before any work"] : []),
  ];
  return `${method.subject(leaf)}${facts.length > 0 ? `  (${facts.join(", ")})` : ""}`;
}

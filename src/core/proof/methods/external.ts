import { timeWords } from "../../duration.ts";
import { RalphError } from "../../errors.ts";
import { shorten } from "../../excerpt.ts";
import { maskedCommand, open } from "../../receipt/open.ts";
import type { ExternalConfig } from "../../schema/methods.ts";
import { openValue } from "../../secrets.ts";
import { FIELDS, placeholdersIn } from "../fields.ts";
import { type External, type Leaf, type LeafOf, leavesOf, PLAIN_STAGE, type Stage } from "../proof.ts";
import { listed, type ProofContext, type ProofMethod, type Resolving, withTimeout } from "./method.ts";

/** A command that Ralph runs itself. */
export const external: ProofMethod<"external"> = {
  backs: true,
  inBaseline: true,
  needsStart: false,
  inCleanRoom: true,
  costsMoney: false,
  configAlone: null,
  resolve({ method, config }, { common, timeoutS, resolving }) {
    const resolved = externalOf(withTimeout(config, timeoutS), resolving);
    return { ...common, name: common.name || commandName(resolved.command), method, ...resolved };
  },
  subject: ({ command }) => command,
  facts: (leaf) => [
    ...(leaf.criterion === null ? [] : [`proves: ${leaf.criterion}`]),
    ...(leaf.successExitCode === 0 ? [] : [`exit code ${leaf.successExitCode}`]),
    ...leaf.outputContains.map((text) => `output has ${JSON.stringify(text)}`),
    ...leaf.outputNotContains.map((text) => `output has no ${JSON.stringify(text)}`),
    ...(leaf.workingDir === "." ? [] : [`in ${leaf.workingDir}`]),
    `at most ${timeWords(leaf.timeoutMs)}`,
  ],
  progress: ({ command }) => command,
  uses: ({ command, workingDir }) => ({ commands: [{ command, workingDir }] }),
  receipt: (leaf, common) => ({
    ...common,
    method: leaf.method,
    ...maskedCommand(leaf.command),
    ...([...leaf.outputContains, ...leaf.outputNotContains].every((text) => open(text) === text)
      ? {}
      : { masked: true }),
    successExitCode: leaf.successExitCode,
    outputContains: leaf.outputContains.map(open),
    outputNotContains: leaf.outputNotContains.map(open),
    timeoutMs: leaf.timeoutMs,
    workingDir: leaf.workingDir,
    env: Object.fromEntries(Object.entries(leaf.env).map(([name, value]) => [name, openValue(name, value)])),
  }),
};

/** A stage that is a command. */
export type CommandLeaf = LeafOf<"external">;

export const isCommand = (stage: Stage): stage is CommandLeaf => stage.method === "external";

/** The commands among the stages, in any group. */
export const commandsOf = (stages: readonly Stage[]): CommandLeaf[] =>
  leavesOf(stages).filter((leaf: Leaf) => isCommand(leaf));

/** The default timeout of a command, in seconds. */
export const DEFAULT_CHECK_TIMEOUT_S = 300;
const NAME_CHARS = 80;

/** A command that only has to exit 0. */
export const plainCommand = (command: string, timeoutS = DEFAULT_CHECK_TIMEOUT_S): External => ({
  command,
  successExitCode: 0,
  outputContains: [],
  outputNotContains: [],
  timeoutMs: timeoutS * 1_000,
  workingDir: ".",
  env: {},
});

/** The name of a command: its first words. */
export const commandName = (command: string): string => shorten(command, NAME_CHARS);

/** A stage for a command that must exit 0. */
export const commandStage = (command: string, timeoutS?: number): CommandLeaf => ({
  ...PLAIN_STAGE,
  name: commandName(command),
  method: "external",
  ...plainCommand(command, timeoutS),
});

/** The configuration of a command in a stage of the criteria. */
export const commandConfig = (command: string) => ({ method: "external", config: { command } }) as const;

/** The command of a stage, with the environment of its task. */
export function externalOf(config: ExternalConfig, { checkTimeoutS, fields }: Resolving): External {
  const field = placeholdersIn(config.command).find((name) => FIELDS.has(name) || Object.hasOwn(fields, name));
  if (field !== undefined) {
    throw new RalphError("unsafe-command", `a command cannot contain {{${field}}}: ${commandName(config.command)}`, {
      hint: `it is in the command's environment: "$${fieldVariable(field)}"`,
    });
  }
  return {
    ...plainCommand(config.command, config.timeout ?? checkTimeoutS),
    successExitCode: config.success_exit_code ?? 0,
    outputContains: listed(config.output_contains),
    outputNotContains: listed(config.output_not_contains),
    workingDir: insideOnly(config.working_dir ?? "."),
    env: { ...fieldVariables(fields), ...config.env },
  };
}

/** The fields of a task as environment variables: `title` is RALPH_TITLE. */
export const fieldVariables = (fields: ProofContext["fields"]): Record<string, string> =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [fieldVariable(name), value]));

const fieldVariable = (name: string): string => `RALPH_${name.toUpperCase()}`;

/** The folder must be inside the loop's folder. Links are resolved when the check runs. */
function insideOnly(folder: string): string {
  if (!folder.startsWith("/") && !folder.split(/[\\/]/).includes("..")) return folder;
  throw new RalphError("outside", `working_dir ${JSON.stringify(folder)} leads out of the loop's folder`, {
    hint: "name a folder inside it, such as packages/api",
  });
}

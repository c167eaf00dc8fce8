/** The interface for plugins: the types, and a helper that gives them to the editor. */

/** The version of this interface. A plugin states the one it was written for. */
export const PLUGIN_API_VERSION = 1;

/** The input of a plugin's decision. */
export interface VerifyInput<Config = Readonly<Record<string, unknown>>> {
  /** The folder with the work: the loop's, or a fresh checkout of it. The process runs there too. */
  cwd: string;
  /** `verification_config`, or the stage's `config`, as parsed by the plugin's schema. */
  config: Config;
  /** The loop's id. */
  loop: string;
  /** 0 for the baseline, before any work. */
  iteration: number;
  /** The agent's claim; null before any work. It proves nothing. */
  claim: { text: string; quote: string } | null;
  acceptanceCriteria: readonly string[];
  /** What is true when the work is done; empty if not configured. */
  outcome: string;
  /** Fires when the loop is stopped or the timeout is reached. The process is killed soon after. */
  signal: AbortSignal;
}

/** A plugin's answer. `unknown` is never a pass. */
export interface VerifyAnswer {
  is: "pass" | "fail" | "unknown";
  /** One sentence for the user and the agent. */
  reason: string;
  /** Shown to the next iteration unless it is a pass. By default the plugin's printed output. */
  output?: string;
}

/** The part of Standard Schema (zod, valibot, arktype …) that is used. */
export interface ConfigSchema<Config> {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => SchemaResult<Config> | Promise<SchemaResult<Config>>;
    readonly types?: { readonly input: unknown; readonly output: Config } | undefined;
  };
}

type SchemaResult<Config> =
  | { readonly value: Config; readonly issues?: undefined }
  | {
      readonly issues: readonly {
        readonly message: string;
        readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
      }[];
    };

/** A verification method. The module exports it as its default or as `verifier`. */
export interface Verifier<Config = Readonly<Record<string, unknown>>> {
  apiVersion: typeof PLUGIN_API_VERSION;
  name: string;
  /** Any Standard Schema. Without one, every configuration is accepted unchanged. */
  config?: ConfigSchema<Config>;
  verify(input: VerifyInput<Config>): VerifyAnswer | Promise<VerifyAnswer>;
}

/** Returns the verifier unchanged; it only adds types. */
export const defineVerifier = <Config = Readonly<Record<string, unknown>>>(
  verifier: Verifier<Config>,
): Verifier<Config> => verifier;

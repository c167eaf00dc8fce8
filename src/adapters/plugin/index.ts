/** What plugins are written against: the types, and a helper that gives them to the editor. */

/** The version of this interface. A plugin says which one it was written for. */
export const PLUGIN_API_VERSION = 1;

/** What a plugin decides about. */
export interface VerifyInput<Config = Readonly<Record<string, unknown>>> {
  /** The folder with the work: the loop's, or a fresh checkout of it. The process runs there too. */
  cwd: string;
  /** `verification_config`, or the stage's `config`, as the plugin's schema made it. */
  config: Config;
  /** The loop's id. */
  loop: string;
  /** 0 before any work, for the baseline. */
  iteration: number;
  /** What the agent said; null before any work. It proves nothing. */
  claim: { text: string; quote: string } | null;
  acceptanceCriteria: readonly string[];
  /** What is true when the work is done; empty where nothing is configured. */
  outcome: string;
  /** Fires when the loop is stopped or the time is up; the process is killed soon after. */
  signal: AbortSignal;
}

/** What a plugin answers. `unknown` is never a pass. */
export interface VerifyAnswer {
  is: "pass" | "fail" | "unknown";
  /** One sentence for people and for the agent. */
  reason: string;
  /** What the next iteration is shown when it is no pass; what the plugin printed when left out. */
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

/** A way to verify claims. The module exports it as its default or as `verifier`. */
export interface Verifier<Config = Readonly<Record<string, unknown>>> {
  apiVersion: typeof PLUGIN_API_VERSION;
  name: string;
  /** Any Standard Schema; without one every configuration is accepted as it is. */
  config?: ConfigSchema<Config>;
  verify(input: VerifyInput<Config>): VerifyAnswer | Promise<VerifyAnswer>;
}

/** Returns the verifier as it is; only the types know about it. */
export const defineVerifier = <Config = Readonly<Record<string, unknown>>>(
  verifier: Verifier<Config>,
): Verifier<Config> => verifier;

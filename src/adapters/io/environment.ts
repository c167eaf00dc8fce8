import { homedir, tmpdir } from "node:os";
import type { Readable, Writable } from "node:stream";

/** Set for every process that a loop starts, so that processes that left their group can be found. */
export const RUN_VARIABLE = "RALPH_RUN";

/** What a command reads from its process: environment variables, folder and standard input. */
export interface Surroundings {
  env: NodeJS.ProcessEnv;
  cwd(): string;
  stdin: Readable;
  stderr: Writable;
}

let embedding: () => Surroundings | undefined = () => undefined;

/** The environment that the running command reads and hands to the programs it starts. */
export const environment = (): NodeJS.ProcessEnv => (embedding() ?? process).env;

/** The folder that the running command was started in. */
export const currentFolder = (): string => (embedding() ?? process).cwd();

export const standardInput = (): Readable => (embedding() ?? process).stdin;

export const standardError = (): Writable => (embedding() ?? process).stderr;

/** `os.tmpdir()` of the running command. */
export const temporaryFolder = (): string => embedding()?.env.TMPDIR || tmpdir();

/** `os.homedir()` of the running command. */
export const homeFolder = (): string => embedding()?.env.HOME ?? homedir();

/** Whether the command runs inside another program, whose process is not the command's own. */
export const isEmbedded = (): boolean => embedding() !== undefined;

/** Makes commands that run inside another program use its values instead of those of the process. */
export function embedIn(surroundings: () => Surroundings | undefined): void {
  embedding = surroundings;
}

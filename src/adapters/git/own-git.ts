import { join } from "node:path";
import { type ProgramRequest, type ProgramRun, runProgram } from "../io/program.ts";
import { configVariables, OFFLINE, STRICT } from "./hardened-git.ts";
import { mendRepository } from "./own-repository.ts";
import { NO_PROMPTS } from "./repository.ts";

type OwnOptions = Pick<ProgramRequest, "take" | "quit" | "stdin" | "env">;

/**
 * Git in a repository made by `makeRepository`, over the files in `root`, without any other settings. It starts no
 * program and no connection, whatever was written into the repository since.
 */
export function ownGit(folder: string, root: string, index = join(folder, "index")) {
  const own = { ...ownPlace(folder, root, index), ...OWN_SETTINGS };
  return async (args: readonly string[], { env = {}, ...more }: OwnOptions = {}): Promise<ProgramRun> => {
    // Before every run: the folder may have been changed in between.
    const fault = mendRepository(folder);
    if (fault !== null) return { code: 128, stdout: "", stderr: fault };
    const request = { file: "git", args: ["--no-optional-locks", ...args], cwd: root, env: { ...own, ...env } };
    return runProgram({ ...request, ...more });
  };
}

/** Git in Ralph's own repository for a person: their global settings for pager and colours apply. */
export const shownPlace = (folder: string): Record<string, string> => ({
  ...ownPlace(folder, folder, join(folder, "index")),
  ...configVariables(NO_PROGRAMS),
  GIT_ALTERNATE_OBJECT_DIRECTORIES: "",
});

const ownPlace = (folder: string, root: string, index: string) => ({
  ...NO_PROMPTS,
  ...OFFLINE,
  GIT_DIR: folder,
  // A file `commondir` in the folder would lead to the settings of another one.
  GIT_COMMON_DIR: folder,
  GIT_WORK_TREE: root,
  GIT_INDEX_FILE: index,
  GIT_OBJECT_DIRECTORY: join(folder, "objects"),
  GIT_NO_REPLACE_OBJECTS: "1",
  GIT_EXTERNAL_DIFF: "",
});

/** Overrides the repository's configuration in case it is written between the look at it and git's. */
const NO_PROGRAMS: Readonly<Record<string, string>> = {
  "core.hooksPath": "/dev/null",
  "core.fsmonitor": "false",
  "core.sshCommand": "false",
  "core.askPass": "true",
  "core.editor": "false",
  "core.alternateRefsCommand": "false",
  "core.attributesFile": "/dev/null",
  "credential.helper": "",
  "gpg.program": "false",
  "log.showSignature": "false",
  "commit.gpgSign": "false",
  "protocol.allow": "never",
  "gc.auto": "0",
  "maintenance.auto": "false",
};

const OWN_SETTINGS = {
  ...configVariables({ ...STRICT, ...NO_PROGRAMS, "core.pager": "cat" }),
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_SYSTEM: "/dev/null",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_CONFIG_PARAMETERS: "",
  GIT_ATTR_NOSYSTEM: "1",
  GIT_DIFF_OPTS: "",
};

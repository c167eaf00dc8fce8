import { rmSync } from "node:fs";
import { join } from "node:path";
import { makeFolder } from "../../adapters/io/folder.ts";
import { textAt } from "../../adapters/io/look.ts";
import { replaceFile } from "../../adapters/io/replace-file.ts";
import { EXIT, RalphError } from "../../core/errors.ts";
import type { Workspace } from "../../core/workspace.ts";

export interface ServerPlace {
  /** Records the server's address, for a user who starts another one. */
  tell(url: string): void;
  release(): void;
}

/** Where the address of the running server is. */
export const addressFile = ({ folder }: Workspace): string => join(folder.root, "server.url");

/** Takes the server lease of a repository, because two servers would resume the same runs. */
export async function takeServerPlace(workspace: Workspace): Promise<ServerPlace> {
  const { folder, leases } = workspace;
  const file = addressFile(workspace);
  const lease = await leases.take("server");
  if (!lease) throw taken(file);
  // Of a server that was killed: its port may be another program's by now, which must not get the token.
  rmSync(file, { force: true });
  return {
    tell(url) {
      makeFolder(folder.root);
      replaceFile(file, `${url}\n`);
    },
    release() {
      rmSync(file, { force: true });
      lease.release();
    },
  };
}

function taken(file: string): RalphError {
  // Empty while it starts.
  const url = textAt(file).trim();
  return new RalphError("server-running", `a server of this repository is running${url ? `: ${url}` : ""}`, {
    hint: "use that one, or stop it first (Ctrl-C where it runs)",
    exitCode: EXIT.stopped,
  });
}

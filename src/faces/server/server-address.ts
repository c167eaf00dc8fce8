import { rmSync } from "node:fs";
import { hostname, networkInterfaces } from "node:os";
import { join } from "node:path";
import { makeFolder } from "../../adapters/io/folder.ts";
import { textAt } from "../../adapters/io/look.ts";
import { replaceFile } from "../../adapters/io/replace-file.ts";
import { printable } from "../../core/ansi.ts";
import { EXIT, RalphError } from "../../core/errors.ts";
import type { Workspace } from "../../core/workspace.ts";
import { isLoopback } from "./gate.ts";

export interface ServerPlace {
  /** Records the server's address, for a user who starts another one. */
  tell(url: string): void;
  release(): void;
}

/** Where the address of the running server is. */
export const addressFile = ({ folder }: Workspace): string => join(folder.root, "server.url");

/**
 * The origin of the server that runs, if it can be one of Ralph's: over HTTP on this machine, or on the host that the
 * user names. The token is sent there, and agents can write the file.
 */
export function runningOrigin(workspace: Workspace, host: string): string | null {
  const text = textAt(addressFile(workspace)).trim();
  if (!URL.canParse(text)) return null;
  const { protocol, hostname: name, origin } = new URL(text);
  const isOrigin = protocol === "http:" && origin === text.toLowerCase();
  return isOrigin && (isOfThisMachine(name) || name === host.toLowerCase()) ? origin : null;
}

function isOfThisMachine(name: string): boolean {
  const bare = name.replace(/^\[(.*)\]$/, "$1");
  const addresses = Object.values(networkInterfaces()).flatMap((some) => some?.map(({ address }) => address) ?? []);
  return isLoopback(bare) || [...addresses, hostname().toLowerCase()].includes(bare);
}

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
  const url = printable(textAt(file).trim());
  return new RalphError("server-running", `a server of this repository is running${url ? `: ${url}` : ""}`, {
    hint: "use that one, or stop it first (Ctrl-C where it runs)",
    exitCode: EXIT.stopped,
  });
}

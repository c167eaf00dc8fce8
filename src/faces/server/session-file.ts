import { join } from "node:path";
import { fileError } from "../../adapters/io/folder.ts";
import { jsonAt } from "../../adapters/io/look.ts";
import { replaceFile } from "../../adapters/io/replace-file.ts";
import { type SavedSessions, savedSessions } from "../../core/schema/api-session.ts";
import type { Workspace } from "../../core/workspace.ts";

/** Where sessions survive a restart of the server. A file that cannot be read or written only logs browsers out. */
export function sessionFile({ folder }: Workspace, log: (line: string) => void) {
  const path = join(folder.root, "server-sessions");
  return {
    saved: savedSessions.safeParse(jsonAt(path)).data ?? null,
    save(sessions: SavedSessions) {
      try {
        replaceFile(path, `${JSON.stringify(sessions)}\n`, 0o600);
      } catch (error) {
        log(`browsers will be logged out when the server restarts: ${fileError(error, path).message}`);
      }
    },
  };
}

import { randomBytes } from "node:crypto";
import { linkSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileError, makeFolder } from "../../adapters/io/folder.ts";
import { EXIT, RalphError } from "../../core/errors.ts";
import type { Workspace } from "../../core/workspace.ts";
import { digestOf, isSame, newSecret } from "./secret.ts";

/** The secret that every client needs. */
export interface ServerToken {
  path: string;
  token: string;
  /** Whether it was just created: only then is it shown. */
  isNew: boolean;
}

const FORM = /^[\w-]{43}$/;

/** Reads the token of a repository's server; creates one if there is none, or with `renew`. */
export function serverToken({ folder }: Workspace, { renew = false } = {}): ServerToken {
  const path = join(folder.root, "server-token");
  if (!renew) {
    const token = readToken(path);
    if (token !== null) return { path, token, isNew: false };
  }
  makeFolder(folder.root);
  const draft = `${path}.${randomBytes(4).toString("hex")}`;
  const token = newSecret();
  try {
    writeFileSync(draft, `${token}\n`, { flag: "wx", mode: 0o600 });
    if (renew) renameSync(draft, path);
    else linkSync(draft, path);
  } catch (error) {
    // Another process was faster: use its token.
    const other = renew ? null : readToken(path);
    if (other === null) throw fileError(error, path);
    return { path, token: other, isNew: false };
  } finally {
    rmSync(draft, { force: true });
  }
  return { path, token, isNew: true };
}

/** Null if there is none. Throws if other users can read the file, or if it is not a token. */
function readToken(path: string): string | null {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found) return null;
  if (!found.isFile()) throw unfit(path, "is not a file");
  if (process.platform !== "win32" && (found.mode & 0o077) !== 0) throw unfit(path, "can be read by others");
  const token = readFileSync(path, "utf8").trim();
  if (!FORM.test(token)) throw unfit(path, "contains no token");
  return token;
}

const unfit = (path: string, why: string): RalphError =>
  new RalphError("token-unfit", `the server's token ${path} ${why}`, {
    hint: "`ralph serve --new-token` creates a new one",
    exitCode: EXIT.usage,
  });

export interface TokenGuard {
  isToken(given: string): boolean;
  /** Changes with the token, which cannot be computed from it. */
  era(): string;
}

/** The file is read again when it is replaced, so that a new token locks out clients with the old one. */
export function tokenGuard({ path, token }: ServerToken): TokenGuard {
  let digest = digestOf(token);
  let seen = stampOf(path);
  const current = () => {
    const stamp = stampOf(path);
    if (stamp !== seen) {
      digest = digestOf(replaced(path));
      seen = stamp;
    }
    return digest;
  };
  return { isToken: (given) => isSame(digestOf(given), current()), era: () => digestOf(current()) };
}

/** A token that cannot be read admits no client. */
function replaced(path: string): string {
  try {
    return readToken(path) ?? newSecret();
  } catch {
    return newSecret();
  }
}

function stampOf(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false });
  return found ? `${found.ino} ${found.mtimeMs} ${found.mode}` : "";
}

import { relative } from "node:path";
import type { InstallReport, Scope } from "../../../doors/hook/install.ts";
import { paint } from "../output/paint.ts";

export interface ScopeOptions {
  user?: boolean;
  project?: boolean;
}

/** The default scope is the project. */
export const scopeOf = ({ user = false }: ScopeOptions): Scope => (user ? "user" : "project");

type Files = InstallReport["files"];

/** A line for each file, with what happened to it. */
export const changeLines = (cwd: string, files: Files): string[] =>
  files.map(({ path, did, kept }) => {
    const more = kept === undefined ? LATER[did] : `what was there is now ${shownPath(cwd, kept)}`;
    return `  ${did.padEnd(10)} ${shownPath(cwd, path)}${more ? paint("dim", `  (${more})`) : ""}`;
  });

const LATER: Partial<Record<Files[number]["did"], string>> = { kept: "not Ralph's, or changed since" };

/** A path in this folder without the folder. */
export function shownPath(cwd: string, path: string): string {
  const inside = relative(cwd, path);
  return inside.startsWith("..") ? path : inside;
}

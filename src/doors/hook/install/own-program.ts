import { readFileSync, realpathSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { HostInstallation, Scope } from "../../../adapters/hosts/host.ts";
import { nodeLine, pathLine } from "../../../adapters/hosts/install-files/hook-line.ts";
import type { Given } from "../../../adapters/hosts/install-files/installed.ts";
import { environment } from "../../../adapters/io/environment.ts";
import { findOnPath } from "../../../adapters/io/find-on-path.ts";
import { jsonAt } from "../../../adapters/io/look.ts";

export const PACKAGE = "ralph-engine";
const DIST = fileURLToPath(new URL(".", import.meta.url));

interface ProgramRequest {
  installation: HostInstallation;
  scope: Scope;
  cwd: string;
  dist?: string;
}

/**
 * How a host starts Ralph. A project's installation should work on other machines too: it uses the project's own copy
 * if it depends on ralph-engine, or `ralph` on PATH. Otherwise, and for a single user, it uses this program's path.
 */
export function ownProgram({ installation, scope, cwd, dist = DIST }: ProgramRequest): Given & { notes: string[] } {
  const { host, dependencyLine, plugin } = installation;
  const program = { node: process.execPath, ralph: join(dist, "ralph.js") };
  const here = { line: nodeLine(host, program.node, program.ralph), plugin: plugin?.machine(program) ?? "" };
  if (scope === "user") return { ...here, notes: passing(dist) };
  if (dependencyLine !== null && isDependency(cwd))
    return { line: dependencyLine, plugin: plugin?.dependency() ?? "", notes: [] };
  if (isOnPath(cwd)) {
    const note =
      "It starts the `ralph` on PATH: others who work on this project need it too (npm install -g ralph-engine).";
    return { line: pathLine(host), plugin: plugin?.copied(dist) ?? "", notes: [note] };
  }
  const depend = `${dependencyLine === null ? "" : "npm install -D ralph-engine, or "}npm install -g ralph-engine`;
  const note = `It contains paths of this machine, so do not commit it: ${depend}, then install again, makes one that works for everyone.`;
  return { ...here, notes: [note, ...passing(dist)] };
}

/** Warns about a copy of a package runner, which may remove it. */
const passing = (dist: string): string[] =>
  /[\\/](?:_npx|dlx-?[^\\/]*|\.bun)[\\/]/.test(dist)
    ? [
        `This copy of Ralph belongs to a package runner, which may remove it: npm install -g ${PACKAGE}, then install again.`,
      ]
    : [];

/** Only a declared dependency exists in other checkouts. */
function isDependency(cwd: string): boolean {
  const { dependencies, devDependencies } = packageAt(cwd);
  const names = Object.keys({ ...Object(dependencies), ...Object(devDependencies) });
  return names.includes(PACKAGE) && packageAt(join(cwd, "node_modules", PACKAGE)).name === PACKAGE;
}

/** Whether `ralph` on PATH is this package; ignores folders that npm adds to PATH only while it runs. */
export function isOnPath(cwd: string): boolean {
  const lasting = (environment().PATH ?? "")
    .split(delimiter)
    .filter((folder) => !/node_modules[\\/]\.bin[\\/]?$/.test(folder));
  const found = findOnPath("ralph", cwd, lasting.join(delimiter));
  if (found === null) return false;
  const real = realpathSync(found);
  return (
    packageAt(dirname(dirname(real))).name === PACKAGE || readFileSync(real, "utf8").slice(0, 4_000).includes(PACKAGE)
  );
}

const packageAt = (folder: string): Record<string, unknown> => Object(jsonAt(join(folder, "package.json")));

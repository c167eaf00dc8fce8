import { readFileSync, realpathSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { nodeLine, pathLine, projectLine } from "../../adapters/hosts/install/hook-line.ts";
import type { Given } from "../../adapters/hosts/install/host-files.ts";
import type { Scope } from "../../adapters/hosts/install/places.ts";
import { copiedPlugin, dependencyPlugin, machinePlugin } from "../../adapters/hosts/install/plugin-code.ts";
import { environment } from "../../adapters/io/environment.ts";
import { findOnPath } from "../../adapters/io/find-on-path.ts";
import type { KnownHost } from "../../core/host.ts";

const PACKAGE = "ralph-engine";
/** The folder of the program that runs. */
const DIST = fileURLToPath(new URL(".", import.meta.url));

/** What a host is given to run, and what a person should know about it. */
interface OwnProgram extends Given {
  notes: readonly string[];
}

interface Asked {
  host: KnownHost;
  scope: Scope;
  cwd: string;
  dist?: string;
}

/**
 * How a host is to start us. For a project it should work on other machines too: by the project's own copy where it
 * depends on us, by `ralph` where that is on PATH. Everywhere else, and for one person: this very program.
 */
export function ownProgram({ host, scope, cwd, dist = DIST }: Asked): OwnProgram {
  const program = { node: process.execPath, ralph: join(dist, "ralph.js") };
  const here = { line: nodeLine(host, program.node, program.ralph), plugin: machinePlugin(program) };
  if (scope === "user") return { ...here, notes: passing(dist) };
  if (host !== "codex" && isDependency(cwd)) {
    return { line: projectLine(host), plugin: dependencyPlugin(), notes: [] };
  }
  if (isOnPath(cwd)) {
    const note =
      "It starts the `ralph` on PATH: others who work on this project need it too (npm install -g ralph-engine).";
    return { line: pathLine(host), plugin: host === "opencode" ? copiedPlugin(dist) : "", notes: [note] };
  }
  const depend =
    host === "codex" ? "npm install -g ralph-engine" : "npm install -D ralph-engine, or npm install -g ralph-engine";
  const note = `It holds paths of this machine, so do not commit it: ${depend}, then install again, makes one that works for everybody.`;
  return { ...here, notes: [note, ...passing(dist)] };
}

/** A copy that a package runner keeps for itself may be gone tomorrow. */
const passing = (dist: string): string[] =>
  /[\\/](?:_npx|dlx-?[^\\/]*|\.bun)[\\/]/.test(dist)
    ? [
        `This copy of Ralph belongs to a package runner, which may remove it: npm install -g ${PACKAGE}, then install again.`,
      ]
    : [];

/** Only what the project itself names is there for others who check it out. */
function isDependency(cwd: string): boolean {
  const { dependencies, devDependencies } = packageAt(cwd);
  const names = Object.keys({ ...Object(dependencies), ...Object(devDependencies) });
  return names.includes(PACKAGE) && packageAt(join(cwd, "node_modules", PACKAGE)).name === PACKAGE;
}

/** Other programs are called `ralph` too; and what npm puts on PATH for a moment is not there when a host looks. */
function isOnPath(cwd: string): boolean {
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

function packageAt(folder: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(readFileSync(join(folder, "package.json"), "utf8")));
  } catch {
    return {};
  }
}

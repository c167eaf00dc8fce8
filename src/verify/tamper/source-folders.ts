import { existsSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { foldersUpTo, isBelow, isInside } from "../../adapters/io/inside.ts";
import { jsonAt, textAt } from "../../adapters/io/look.ts";
import { fieldOf } from "../../core/field.ts";
import { isTestFile } from "../../core/test-files/file-role.ts";
import { isDeciderName } from "./nature.ts";

/** Folders of a package that contain the work, by the manifest beside them; `*`: any, or none at the top. */
const SOURCE_FOLDERS: Readonly<Record<string, readonly string[]>> = {
  "*": ["src", "lib", "app", "source", "sources", "Sources"],
  "go.mod": ["cmd", "internal", "pkg"],
};
const MANIFESTS = [
  ...["package.json", "pyproject.toml", "setup.py", "Cargo.toml", "go.mod", "composer.json", "pom.xml"],
  ...["build.gradle", "build.gradle.kts", "Package.swift", "mix.exs", "pubspec.yaml", "deno.json"],
];

/** Whether a file belongs to the work of a project by its place, so that the agent may change it even if a check runs it. */
export function sourceFiles(top: string, root: string): (path: string) => boolean {
  const known = new Map<string, (path: string) => boolean>();
  const sourcesOf = (folder: string) => {
    const found = known.get(folder) ?? packageSources(folder, folder === top || folder === root);
    known.set(folder, found);
    return found;
  };
  return (path) => {
    // A test is no work, whatever its folder.
    if (isTestFile(path) && !path.endsWith(".rs")) return false;
    for (const folder of foldersUpTo(dirname(path), top)) if (sourcesOf(folder)(path)) return true;
    return false;
  };
}

function packageSources(folder: string, isTop: boolean): (path: string) => boolean {
  const manifests = MANIFESTS.filter((name) => existsSync(join(folder, name)));
  if (manifests.length === 0 && !isTop) return () => false;
  const folders = ["*", ...manifests].flatMap((name) => SOURCE_FOLDERS[name] ?? []);
  const python = pythonPackages(folder);
  const entries = entriesOf(folder);
  return (path) => {
    const [first = "", ...deeper] = relative(folder, path).split("/");
    if (deeper.length > 0 && (folders.includes(first) || python(first, deeper))) return true;
    return entries.some((entry) => path === entry || isSourceOf(entry, path, folder));
  };
}

/** The folder of an entry point contains work, unless it is the package itself or its name says that it checks. */
function isSourceOf(entry: string, path: string, folder: string): boolean {
  const own = dirname(entry);
  const name = basename(own);
  return isBelow(own, folder) && isBelow(path, own) && name !== "bin" && !isDeciderName(relative(folder, own));
}

/** The files that `main`, `bin` and `exports` of a package name. */
function entriesOf(folder: string): string[] {
  const manifest = jsonAt(join(folder, "package.json"));
  const named = ["main", "module", "bin", "exports"].flatMap((key) => textsIn(fieldOf(manifest, key)));
  return named.map((name) => resolve(folder, name)).filter((path) => isInside(path, folder));
}

const textsIn = (value: unknown): string[] => {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
};

/** The packages that a Python project names; without a manifest, all that are not named like checks. */
function pythonPackages(folder: string): (name: string, deeper: readonly string[]) => boolean {
  const texts = ["pyproject.toml", "setup.py", "setup.cfg"].map((name) => textAt(join(folder, name)));
  const isPackage = (name: string) =>
    ["__init__.py", "__main__.py"].some((file) => existsSync(join(folder, name, file)));
  const said = new Set(
    texts
      .join("\n")
      .match(/[\w.-]+/g)
      ?.map((name) => name.replaceAll("-", "_")),
  );
  const names = [...said].some(isPackage);
  return (name, deeper) => {
    if (isDeciderName(name) || !/^\w+$/.test(name)) return false;
    if (names) return said.has(name) && (isPackage(name) || existsSync(join(folder, name)));
    return isPackage(name) && !isDeciderName(deeper.join("/"));
  };
}

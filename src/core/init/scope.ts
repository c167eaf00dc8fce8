import type { Project } from "./project.ts";

const SOURCES = [
  ...["src", "lib", "app", "cmd", "internal", "pkg", "server", "client", "components", "pages", "public", "include"],
  ...["hooks", "utils", "styles", "routes", "resources", "database", "db", "Sources"],
];
/** Folders that contain a package in each of their folders. */
const GROUPS = ["packages", "apps", "crates", "services", "modules"];
const PARTS = ["src", "lib", "app", "components", "pages"];
const MANIFESTS = ["package.json", "Cargo.toml", "pyproject.toml", "pom.xml", "build.gradle", "build.gradle.kts"];
const TESTS = ["test", "tests", "Tests", "__tests__", "spec", "e2e"];
const DOCS = ["docs"];
const TEXTS = ["README.md", "CHANGELOG.md"];

/** How tests, and what they expect, are recognized beside the sources. */
const BESIDE: readonly [pattern: string, form: RegExp][] = [
  ["**/src/test/**", /(?:^|\/)src\/test\//],
  ["**/tests/**", /\/tests\//],
  ["**/__tests__/**", /\/__tests__\//],
  ["**/__snapshots__/**", /\/__snapshots__\//],
  ["**/testdata/**", /\/testdata\//],
  ["**/*.test.*", /\.test\.\w+$/],
  ["**/*.spec.*", /\.spec\.\w+$/],
  ["**/*_test.*", /_test\.\w+$/],
  ["**/test_*.py", /(?:^|\/)test_[^/]*\.py$/],
];

/**
 * What the agent may change, judged by a project's layout: its sources and texts, and new tests. Manifests, configuration
 * and existing tests are not included. Empty if the layout does not show where the sources are.
 */
export function scopeFor(project: Project): string[] {
  const files = project.files();
  const top = foldersIn(files, "");
  const inGroups = (names: readonly string[]) => GROUPS.flatMap((group) => partsOf(files, group, names));
  const sources = [
    ...sourcesIn(project, files, top),
    ...inGroups(PARTS),
    ...(project.has("go.mod") ? ["**/*.go"] : []),
  ];
  if (sources.length === 0) return [];
  const apart = TESTS.filter((name) => top.includes(name));
  const beside = files.filter((file) => !apart.some((name) => file.startsWith(`${name}/`)));
  const tests = [
    ...apart.map((name) => `${name}/**`),
    ...inGroups(TESTS),
    ...BESIDE.filter(([, form]) => beside.some((file) => form.test(file))).map(([pattern]) => pattern),
  ];
  return [
    ...sources,
    ...DOCS.filter((name) => top.includes(name)).map((name) => `${name}/**`),
    ...TEXTS.filter((name) => project.has(name)),
    // The later of two patterns counts.
    ...tests.map((pattern) => `+${pattern}`),
  ];
}

/** Where a folder has a part for sources, its other parts may be configuration and tests. */
function sourcesIn(project: Project, files: readonly string[], top: readonly string[]): string[] {
  const isSource = (name: string) =>
    SOURCES.includes(name) ||
    (!TESTS.includes(name) && project.has(`${name}/__init__.py`)) ||
    (MANIFESTS.some((file) => project.has(`${name}/${file}`)) && foldersIn(files, name).includes("src"));
  const known = [...SOURCES.filter((name) => top.includes(name)), ...top.filter((name) => !SOURCES.includes(name))];
  return known
    .filter(isSource)
    .map((name) => (name !== "src" && foldersIn(files, name).includes("src") ? `${name}/src/**` : `${name}/**`));
}

/** The folders with these names in the packages of a group. */
function partsOf(files: readonly string[], group: string, names: readonly string[]): string[] {
  const parts = new Set(foldersIn(files, group).flatMap((name) => foldersIn(files, `${group}/${name}`)));
  return names.filter((name) => parts.has(name)).map((name) => `${group}/*/${name}/**`);
}

function foldersIn(files: readonly string[], folder: string): string[] {
  const prefix = folder === "" ? "" : `${folder}/`;
  const below = files.filter((file) => file.startsWith(prefix)).map((file) => file.slice(prefix.length));
  return [...new Set(below.filter((file) => file.includes("/")).map((file) => file.split("/")[0] ?? ""))].sort();
}

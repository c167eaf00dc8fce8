import type { Project } from "./project.ts";

const SOURCES = ["src", "lib", "app", "cmd", "internal", "pkg", "server", "client", "components", "pages", "public"];
/** Folders that contain a package in each of their folders. */
const GROUPS = ["packages", "apps", "crates", "services", "modules"];
const TESTS = ["test", "tests", "__tests__", "spec", "e2e"];
const DOCS = ["docs"];
const TEXTS = ["README.md", "CHANGELOG.md"];

/**
 * What the agent may change, judged by a project's layout: its sources and texts, and new tests. Manifests, configuration
 * and existing tests are not included. Empty if there is no folder of sources.
 */
export function scopeFor(project: Project): string[] {
  const top = project.folders("");
  const sources = [
    ...SOURCES.filter((name) => top.includes(name)),
    ...top.filter((name) => !TESTS.includes(name) && project.has(`${name}/__init__.py`)),
    ...GROUPS.filter((name) => top.includes(name)).flatMap((group) => packagesIn(project, group)),
  ];
  if (sources.length === 0) return [];
  const existing = (names: readonly string[]) => names.filter((name) => top.includes(name));
  return [
    ...[...new Set(sources)].map((folder) => `${folder}/**`),
    ...existing(DOCS).map((folder) => `${folder}/**`),
    ...TEXTS.filter((name) => project.has(name)),
    ...existing(TESTS).map((folder) => `+${folder}/**`),
  ];
}

const packagesIn = (project: Project, group: string): string[] =>
  project.folders(group).some((name) => project.folders(`${group}/${name}`).includes("src")) ? [`${group}/*/src`] : [];

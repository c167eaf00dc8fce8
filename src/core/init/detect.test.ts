import { expect, test } from "vitest";
import { proposalsFor } from "./detect.ts";
import type { Project } from "./project.ts";

interface Machine {
  above?: string[];
  programs?: string[];
}

const project = (files: Record<string, string>, { above = [], programs = [] }: Machine = {}): Project => ({
  has: (file) => file in files,
  hasAbove: (file) => file in files || above.includes(file),
  read: (file) => files[file] ?? "",
  files: () => [],
  runs: (program) => programs.includes(program),
});

const scripts = (entries: Record<string, unknown>, more: object = {}) =>
  JSON.stringify({ name: "x", scripts: entries, ...more });
const TEST = scripts({ test: "vitest run" });

test.each<[string, Record<string, string>, string[], string[]]>([
  ["nothing in an empty folder", {}, [], []],
  [
    "scripts by their role",
    { "package.json": scripts({ build: "tsc", lint: "biome check", test: "vitest run", typecheck: "tsc --noEmit" }) },
    ["npm test"],
    ["npm run lint", "npm run typecheck"],
  ],
  ["check if there is no typecheck", { "package.json": scripts({ check: "tsc" }) }, [], ["npm run check"]],
  [
    "one type check of several",
    { "package.json": scripts({ check: "x", "type-check": "y" }) },
    [],
    ["npm run type-check"],
  ],
  ["a build only if there are no tests", { "package.json": scripts({ build: "tsc" }) }, ["npm run build"], []],
  [
    "not the placeholder of npm init",
    { "package.json": scripts({ test: 'echo "Error: no test specified" && exit 1' }) },
    [],
    [],
  ],
  ["no script that only prints", { "package.json": scripts({ test: "echo 'none; yet'", lint: "true" }) }, [], []],
  ["no empty script and no invalid one", { "package.json": scripts({ test: " ", lint: 3 }) }, [], []],
  [
    "not a watcher, but the script that ends",
    { "package.json": scripts({ test: "jest --watch", "test:ci": "jest" }) },
    ["npm run test:ci"],
    [],
  ],
  ["a watcher with --watch=false", { "package.json": scripts({ test: "ng test --watch=false" }) }, ["npm test"], []],
  ["scripts of a file with a byte order mark", { "package.json": `\uFEFF${TEST}` }, ["npm test"], []],
  ["npm by its lock file", { "package.json": TEST, "package-lock.json": "" }, ["npm test"], []],
  [
    "pnpm",
    { "package.json": scripts({ test: "x", lint: "y" }), "pnpm-lock.yaml": "" },
    ["pnpm test"],
    ["pnpm run lint"],
  ],
  [
    "yarn, whose own `yarn check` is something else",
    { "package.json": scripts({ test: "x", check: "y" }), "yarn.lock": "" },
    ["yarn test"],
    ["yarn run check"],
  ],
  ["bun, whose own `bun test` is something else", { "package.json": TEST, "bun.lock": "" }, ["bun run test"], []],
  ["bun by its older lock file", { "package.json": TEST, "bun.lockb": "" }, ["bun run test"], []],
  [
    "the declared manager before the lock file",
    { "package.json": scripts({ test: "x" }, { packageManager: "pnpm@10.1.0" }), "package-lock.json": "" },
    ["pnpm test"],
    [],
  ],
  [
    "the lock file's manager if the declared one is unknown",
    { "package.json": scripts({ test: "x" }, { packageManager: "rm@1" }), "yarn.lock": "" },
    ["yarn test"],
    [],
  ],
  ["cargo without clippy", { "Cargo.toml": "" }, ["cargo test"], []],
  ["go", { "go.mod": "module x" }, ["go test ./..."], ["go vet ./..."]],
  ["go with its linter", { "go.mod": "", ".golangci.yml": "" }, ["go test ./..."], ["golangci-lint run"]],
  ["no test for Python without pytest", { "pyproject.toml": "[project]\nname = 'x'" }, [], []],
  [
    "pytest, ruff and mypy",
    { "pyproject.toml": "[tool.pytest.ini_options]\n[tool.ruff.lint]\n[tool.mypy]\n" },
    ["python3 -m pytest"],
    ["ruff check .", "mypy ."],
  ],
  ["pytest by its own file", { "pytest.ini": "" }, ["python3 -m pytest"], []],
  ["pytest by a dependency", { "requirements-dev.txt": "pytest>=8\n" }, ["python3 -m pytest"], []],
  [
    "the environment of uv",
    { "pyproject.toml": "[tool.ruff]", "tests/conftest.py": "", "uv.lock": "" },
    ["uv run pytest"],
    ["uv run ruff check ."],
  ],
  ["the environment of poetry", { "conftest.py": "", "poetry.lock": "" }, ["poetry run pytest"], []],
  ["Maven's wrapper", { mvnw: "", "pom.xml": "" }, ["./mvnw -B test"], []],
  ["Maven without it", { "pom.xml": "" }, ["mvn -B test"], []],
  ["Gradle's wrapper", { gradlew: "", "build.gradle": "" }, ["./gradlew test"], []],
  ["Gradle without it", { "build.gradle.kts": "" }, ["gradle test"], []],
  [
    "targets of a makefile",
    { Makefile: "test: build\n\tx\nlint check:\n\ty\nbuild:\n" },
    ["make test"],
    ["make lint", "make check"],
  ],
  ["check as the test if there is no other", { Makefile: "check:\n\tx" }, ["make check"], []],
  [
    "no variables, comments, recipes or similar targets",
    { Makefile: "test := x\ncheck ::= y\n# lint:\n\tlint: x\ntesting:\n.PHONY: test lint\n" },
    [],
    [],
  ],
  ["double-colon targets", { Makefile: "test::\n\tx\n" }, ["make test"], []],
  ["the makefile that make would use", { Makefile: "test:\n", GNUmakefile: "lint:\n" }, [], ["make lint"]],
  [
    "a target instead of the command it may wrap, and the rest beside it",
    { Makefile: "test:\n\tcargo test", "Cargo.toml": "", "package.json": scripts({ test: "x", lint: "y" }) },
    ["make test"],
    ["npm run lint"],
  ],
  ["the tests of every language", { "package.json": TEST, "Cargo.toml": "" }, ["npm test", "cargo test"], []],
])("proposes %s", (_name, files, verify, guardrails) => {
  const proposed = proposalsFor(project(files));
  expect(proposed.verify.map(({ command }) => command)).toEqual(verify);
  expect(proposed.guardrails.map(({ command }) => command)).toEqual(guardrails);
  expect(proposed.notes).toEqual([]);
});

test("clippy is proposed if it is installed", () => {
  const { guardrails } = proposalsFor(project({ "Cargo.toml": "" }, { programs: ["cargo-clippy"] }));
  expect(guardrails).toEqual([{ command: "cargo clippy --all-targets", from: "Cargo.toml" }]);
});

test("a workspace's lock file counts for the packages below it", () => {
  const { verify } = proposalsFor(project({ "package.json": TEST }, { above: ["pnpm-lock.yaml"] }));
  expect(verify).toEqual([{ command: "pnpm test", from: "package.json" }]);
});

test.each(["{", "", "[]", "null", '"x"'])("a package.json that contains %j is reported, not ignored", (content) => {
  const { verify, notes } = proposalsFor(project({ "package.json": content, "go.mod": "" }));
  expect(verify.map(({ command }) => command)).toEqual(["go test ./..."]);
  expect(notes).toEqual([expect.stringContaining("package.json is not a JSON object")]);
});

test("scripts that are not an object are ignored", () => {
  expect(proposalsFor(project({ "package.json": '{"scripts": ["test"]}' }))).toEqual({
    verify: [],
    guardrails: [],
    scope: [],
    notes: [],
  });
});

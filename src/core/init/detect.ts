import { packageProblem, packageScripts } from "./package-scripts.ts";
import type { FoundCommand, Project } from "./project.ts";
import { scopeFor } from "./scope.ts";

export type Proposal = Pick<FoundCommand, "command" | "from">;

export interface Proposals {
  /** Must exit 0 for a claim to count. */
  verify: Proposal[];
  guardrails: Proposal[];
  /** Patterns of what the agent may change; empty if the layout does not show it. */
  scope: string[];
  notes: string[];
}

/** Proposes checks from a project's files. Make targets replace other commands of their role, a build missing tests. */
export function proposalsFor(project: Project): Proposals {
  const targets = makeTargets(project);
  const others = [...packageScripts(project), ...toolchainCommands(project)];
  const found = [...targets, ...others.filter(({ role }) => !targets.some((target) => target.role === role))];
  const inRole = (...roles: FoundCommand["role"][]): Proposal[] =>
    found.filter(({ role }) => roles.includes(role)).map(({ command, from }) => ({ command, from }));
  const tests = inRole("test");
  const problem = packageProblem(project);
  return {
    verify: tests.length > 0 ? tests : inRole("build"),
    guardrails: inRole("lint", "check"),
    scope: scopeFor(project),
    notes: problem === null ? [] : [problem],
  };
}

/** In the order in which make looks for them. */
const NAMES = ["GNUmakefile", "makefile", "Makefile"];

/** The targets test, lint and check. Without a test target, check is the test, as in GNU conventions. */
function makeTargets(project: Project): FoundCommand[] {
  const from = NAMES.find((name) => project.has(name));
  if (from === undefined) return [];
  const targets = targetsIn(project.read(from));
  const test = ["test", "check"].find((name) => targets.has(name));
  const others = (["lint", "check"] as const).filter((name) => targets.has(name) && name !== test);
  return [
    ...(test === undefined ? [] : [{ role: "test", command: `make ${test}`, from } as const]),
    ...others.map((role) => ({ role, command: `make ${role}`, from })),
  ];
}

/** Words before a colon at the start of a line; `name := value` sets a variable. */
const targetsIn = (makefile: string): Set<string> =>
  new Set(
    [...makefile.matchAll(/^([^\s#:=.][^#:=\n]*):(?![:]?=)/gm)].flatMap(([, names = ""]) => names.trim().split(/\s+/)),
  );

/** The standard commands of a language's usual tools. */
const toolchainCommands = (project: Project): FoundCommand[] =>
  [cargo, go, python, maven, gradle].flatMap((look) => look(project));

function cargo(project: Project): FoundCommand[] {
  const from = "Cargo.toml";
  if (!project.has(from)) return [];
  const test: FoundCommand = { role: "test", command: "cargo test", from };
  return project.runs("cargo-clippy") ? [test, { role: "lint", command: "cargo clippy --all-targets", from }] : [test];
}

const GOLANGCI = [".golangci.yml", ".golangci.yaml", ".golangci.toml", ".golangci.json"];

function go(project: Project): FoundCommand[] {
  const from = "go.mod";
  if (!project.has(from)) return [];
  const linter = GOLANGCI.find((name) => project.has(name));
  return [
    { role: "test", command: "go test ./...", from },
    linter === undefined
      ? { role: "check", command: "go vet ./...", from }
      : { role: "lint", command: "golangci-lint run", from: linter },
  ];
}

const PYTHON_FILES = ["pyproject.toml", "setup.cfg", "tox.ini", "requirements.txt", "requirements-dev.txt"];

function python(project: Project): FoundCommand[] {
  const run = runnerOf(project);
  const mention = (pattern: RegExp) => PYTHON_FILES.find((name) => pattern.test(project.read(name)));
  const present = (...names: string[]) => names.find((name) => project.has(name));
  const tests = present("pytest.ini", "conftest.py", "tests/conftest.py") ?? mention(/\bpytest\b/);
  const ruff = present("ruff.toml", ".ruff.toml") ?? mention(/^\[tool\.ruff\b/m);
  const mypy = present("mypy.ini", ".mypy.ini") ?? mention(/^\[(tool\.)?mypy\b/m);
  return [
    // As a module, it finds the project without an installation.
    ...(tests ? [{ role: "test", command: `${run || "python3 -m "}pytest`, from: tests } as const] : []),
    ...(ruff ? [{ role: "lint", command: `${run}ruff check .`, from: ruff } as const] : []),
    ...(mypy ? [{ role: "check", command: `${run}mypy .`, from: mypy } as const] : []),
  ];
}

/** The prefix that runs a command in the project's own environment. */
function runnerOf(project: Project): string {
  if (project.hasAbove("uv.lock")) return "uv run ";
  return project.hasAbove("poetry.lock") ? "poetry run " : "";
}

/** Not `-q`, with which Surefire does not print how many tests ran. */
function maven(project: Project): FoundCommand[] {
  if (project.has("mvnw")) return [{ role: "test", command: "./mvnw -B test", from: "mvnw" }];
  return project.has("pom.xml") ? [{ role: "test", command: "mvn -B test", from: "pom.xml" }] : [];
}

function gradle(project: Project): FoundCommand[] {
  if (project.has("gradlew")) return [{ role: "test", command: "./gradlew test", from: "gradlew" }];
  const from = ["build.gradle", "build.gradle.kts"].find((name) => project.has(name));
  return from === undefined ? [] : [{ role: "test", command: "gradle test", from }];
}

import { chmodSync, mkdirSync, mkdtempSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { TELLING } from "../../core/command-line/missing-messages.ts";
import { absentIn } from "./absent.ts";

const PROGRAMS =
  "npm npx pnpm yarn bun deno node python3 make just task rake gradle mvn cargo composer uv bundle git timeout env time nice xargs bash sh grep tail pytest cat gcc";

/** A folder with these files; PATH has stand-ins for the programs above and nothing else. */
function project(files: Readonly<Record<string, string>>): { cwd: string; path: string } {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "absent-")));
  const [cwd, path] = [join(root, "work"), join(root, "bin")];
  const put = (file: string, text: string) => {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    chmodSync(file, 0o755);
  };
  for (const name of PROGRAMS.split(" ")) put(join(path, name), "");
  mkdirSync(cwd);
  for (const [name, text] of Object.entries(files)) put(join(cwd, name), text);
  return { cwd, path };
}

interface Given {
  files?: Readonly<Record<string, string>>;
  passed?: boolean;
}

function look(command: string, code: number, output: string, { files = {}, passed = false }: Given = {}) {
  const lines = output.split("\n").filter((line) => TELLING.test(line));
  return absentIn({ command, ...project(files), code, passed, lines });
}

const packaged = (scripts: object) => ({ files: { "package.json": JSON.stringify({ scripts }) } });
const MAKEFILE = { files: { Makefile: "all:\n\techo\ninner check: all\n\tnope\n" } };

// The recorded output of each program.
test.each<[string, number, string, string, Given?]>([
  ["npm test", 1, 'npm error Missing script: "test"', 'the package script "test" does not exist', packaged({ a: "" })],
  ["npm t", 1, 'npm error Missing script: "test"', '"test"', packaged({})],
  [
    "npm test",
    254,
    "npm error enoent Could not read package.json: Error: ENOENT: no such file or directory",
    "there is no package.json",
  ],
  ["pnpm test", 1, ' ERR_PNPM_NO_IMPORTER_MANIFEST_FOUND  No package.json (or …) was found in "/x".', "package.json"],
  ["yarn test", 1, 'error Couldn\'t find a package.json file in "/x"', "package.json"],
  ["npm test --silent | tail -1", 0, "", '"test"', { ...packaged({}), passed: true }],
  ["npm run check -- --all", 1, 'npm ERR! Missing script: "check"', '"check"', packaged({})],
  ["npm run -s check", 1, "", '"check"', packaged({ test: "x" })],
  ["npm --prefix web run check --silent", 1, "", '"check"', { files: { "web/package.json": "{}" } }],
  ["cd web && npm test", 1, 'npm error Missing script: "test"', '"test"', { files: { "web/package.json": "{}" } }],
  ["npm foo", 1, 'Unknown command: "foo"', 'the subcommand "foo" does not exist'],
  ["npm run lint && npm test", 1, "npm error code 1", '"test"', packaged({ lint: "x" })],
  ["pnpm run check", 1, " ERR_PNPM_NO_SCRIPT  Missing script: check", '"check"', packaged({})],
  ["pnpm check", 254, ' ERR_PNPM_RECURSIVE_EXEC_FIRST_FAIL  Command "check" not found', '"check"', packaged({})],
  ["yarn test", 1, 'error Command "test" not found. Did you mean "test2"?', '"test"', packaged({ test2: "" })],
  ["yarn run check", 1, 'Usage Error: Couldn\'t find a script named "check".', '"check"', packaged({})],
  ["bun run check", 1, 'error: Script not found "check"', '"check"', packaged({})],
  ["bun run test", 1, 'note: a package.json script "test" was not found', '"test"', packaged({})],
  ["deno task check", 1, "Task not found: check", '"check"'],
  ["npx nope-tool", 1, "npm error 404  The requested resource 'nope-tool@*' could not be found or …", "nope-tool"],
  [
    "npx --offline eslint@8 .",
    1,
    "npm error request to https://registry.npmjs.org/eslint failed: cache mode",
    "eslint",
  ],
  ["make check", 2, "make: *** No rule to make target 'check'.  Stop.", 'the target "check" does not exist'],
  ["make -k lint check", 2, "make: *** No rule to make target 'check'.", '"check"'],
  ["make test", 2, "make: *** No rule to make target `test'.  Stop.", '"test"'],
  ["make", 2, "make: *** No targets specified and no makefile found.  Stop.", "there are no make targets"],
  ["make -f no.mk x", 2, "make: *** No rule to make target 'no.mk'.  Stop.", '"no.mk"'],
  ["just check", 1, "error: Justfile does not contain recipe `check`", '"check"'],
  ["task check", 200, 'task: Task "check" does not exist', '"check"'],
  ["rake spec", 1, "rake aborted!\nDon't know how to build task 'spec' (See the list of …)", '"spec"'],
  ["gradle checkTypes", 1, "Task 'checkTypes' not found in root project 'app'. Some candidates are: …", '"checkTypes"'],
  [
    "mvn nophase",
    1,
    '[ERROR] Unknown lifecycle phase "nophase". You must specify a valid lifecycle phase',
    '"nophase"',
  ],
  ["cargo nextest run", 101, "error: no such command: `nextest`", 'the subcommand "nextest" does not exist'],
  ["composer test", 1, '  Command "test" is not defined.  ', '"test"'],
  ["python3 -m pytest -q", 1, "/usr/bin/python3: No module named pytest", "python3 has no module pytest"],
  ["uv run python3 -m pytest", 1, "/x/.venv/bin/python3: No module named pytest", "no module pytest"],
  ["python3 -m app", 1, "/usr/bin/python3: No module named app.__main__; 'app' is a package and …", "no module app"],
  [
    "python3 -m app.tests",
    1,
    "/usr/bin/python3: Error while finding module specification for 'app.tests' (ModuleNotFoundError: No module named 'app')",
    "no module app.tests",
  ],
  ["uv run ruff check", 2, "error: Failed to spawn: `ruff`\n  Caused by: No such file", "ruff"],
  ["bundle exec rspec", 127, "bundler: command not found: rspec", "rspec"],
  ["nope --all", 127, "sh: 1: nope: not found", "the program nope was not found"],
  ["nope", 127, "sh: line 1: nope: command not found", "nope"],
  ["nope", 127, "sh: nope: Befehl nicht gefunden", "nope"],
  ["nope 2>/dev/null", 127, "", "nope"],
  ["nope | grep -q ok", 1, "sh: 1: nope: not found", "nope"],
  ["CI=1 nope", 127, "", "nope"],
  ["(cd sub; nope)", 127, "sh: 1: nope: not found", "nope"],
  ["env -u X CI=1 nope", 127, "env: ‘nope’: No such file or directory", "nope"],
  ["timeout -k 5 30s nope --x", 127, "timeout: failed to run command ‘nope’: No such file or directory", "nope"],
  ["time nope", 127, "time: cannot run nope: No such file or directory", "nope"],
  ["bash -lc 'set -e; nope'", 127, "bash: line 1: nope: command not found", "nope"],
  ["nope || exit 1", 1, "sh: 1: nope: not found", "nope"],
  ["nope || python3 -m nope", 1, "sh: 1: nope: not found\n/x/python3: No module named nope", "nope"],
  ["npm test && nope .", 1, "1 failing", "nope", packaged({ test: "x" })],
  ['[ "$(nope --count)" = 0 ]', 2, "sh: 1: nope: not found", "nope"],
  ["if nope; then exit 0; else exit 1; fi", 1, "sh: 1: nope: not found", "nope"],
  ["./check.sh", 127, "sh: 1: ./check.sh: not found", "the file ./check.sh does not exist"],
  ["npm ci && ./check.sh", 127, "sh: 1: ./check.sh: not found", "./check.sh"],
  ["sh scripts/check.sh", 2, "sh: 0: cannot open scripts/check.sh: No such file", "scripts/check.sh"],
  ["bash -e check.sh --all", 127, "bash: check.sh: No such file or directory", "check.sh"],
  ["./dir", 126, "sh: 1: ./dir: Permission denied", "cannot be executed", { files: { "dir/x": "" } }],
  ["./x", 127, "sh: 1: ./x: not found", "./x", { files: { x: "#!/no/such/interpreter\n" } }],
  ["pytest", 127, "pyenv: pytest: command not found", "pytest"],
  ['"$RUNNER" test', 127, "sh: 1: pytest9: not found", "the command could not be run (exit code 127)"],
  ["nope | tail -3", 0, "sh: 1: nope: not found", "nope", { passed: true }],
  ["! nope", 0, "", "nope", { passed: true }],
])("absent: %s (exit %i, %s)", (command, code, output, absent, given) => {
  expect(look(command, code, output, given)).toContain(absent);
});

test.each<[string, number, string, Given?]>([
  // Commands that a script, a recipe or a test needs.
  ["npm test", 127, "> nope-tool --x\n\nsh: 1: nope-tool: not found", packaged({ test: "nope-tool --x" })],
  ["npm test", 1, 'npm error Missing script: "lint"', packaged({ test: "npm run lint" })],
  ["npm test", 1, 'npm error Missing script: "test"', packaged({ test: "npm test -w web" })],
  ["make check", 2, "nope\nmake: nope: No such file or directory\nmake: *** [Makefile:4: check] Error 127", MAKEFILE],
  ["make check", 2, "make: *** No rule to make target 'other', needed by 'check'.  Stop.", MAKEFILE],
  ["make check", 2, "make[1]: *** No rule to make target 'check'.  Stop.\nmake: *** [Makefile:2] Error 2", MAKEFILE],
  ["make check", 2, "make: *** No rule to make target 'check'.  Stop.", MAKEFILE],
  ["python3 -m pytest", 2, "E   ModuleNotFoundError: No module named 'pytest'"],
  ["python3 -m pytest", 1, "ModuleNotFoundError: No module named 'app'"],
  ["python3 -m unittest tests.test_x", 1, "ModuleNotFoundError: No module named 'tests.test_x'"],
  ["pytest tests/test_new.py", 4, "ERROR: file or directory not found: tests/test_new.py"],
  ["node --test test/new.test.js", 1, "Could not find '/x/test/new.test.js'"],
  ["node app.js | grep -q Hello", 1, "Error: Cannot find module '/x/app.js'"],
  ["cargo test", 101, "error: could not find `Cargo.toml` in `/x` or any parent directory"],
  ["gcc -o app app.c && ./app", 1, "app.c:1: error: expected ';'"],
  ["gcc -o app app.c; ./app", 127, "app.c:1: error: …\nsh: 1: ./app: not found"],
  ["./run.sh", 127, "./run.sh: 3: nope: not found", { files: { "run.sh": "nope" } }],
  ["test -f new.txt", 1, ""],
  ["cat missing.txt", 1, "cat: missing.txt: No such file or directory"],
  ["timeout 5 cat nope.txt", 1, "cat: nope.txt: No such file or directory"],
  ["exit 127", 127, ""],
  ["cd packages/x && npm test", 2, "sh: 1: cd: can't cd to packages/x"],
  [
    "npm test",
    1,
    "npm error enoent Could not read package.json: Error: ENOENT",
    packaged({ test: "npm --prefix x t" }),
  ],
  // Any program called npm here needs no package.
  ["npm test", 1, "1 failed"],
  ["npm test", 0, "", { passed: true }],
  // Names with another meaning here.
  ["pytest -q || python3 -m pytest -q", 1, "sh: 1: nope: not found"],
  ["nope || python3 -m pytest", 1, "sh: 1: nope: not found\n1 failed"],
  [". venv/bin/activate && tool", 1, "1 failed", { files: { "venv/bin/activate": "" } }],
  ["PATH=$PWD/bin:$PATH; tool", 1, "1 failed"],
  ["check() { grep -q x y; }; check", 1, ""],
  ["python3 - <<'EOF'\nimport nope\nnope.run()\nEOF", 1, "ModuleNotFoundError: No module named 'nope'"],
  ["node -e 'const a = require(\"x\"); process.exit(a)'", 1, "Error: Cannot find module 'x'"],
  ["grep -q 'a; nope && b' file # nope", 1, ""],
  ["for f in a b; do grep -q x $f; done", 1, ""],
  ["command -v nope", 127, ""],
  ["[ -x ./build/app ] && ./build/app", 1, ""],
  ["if command -v nope; then nope; fi; exit 1", 1, ""],
  ["npm run lint --if-present && grep x y", 1, "", packaged({})],
  ["npm test -w web", 1, "1 failed", packaged({})],
  ["grep -q x y 2>&1 >/dev/null; echo done; false", 1, ""],
  ["nope || python3 -m pytest", 0, "sh: 1: nope: not found", { passed: true }],
  ["npm test", 0, 'npm error Missing script: "other"', { ...packaged({ test: "x" }), passed: true }],
])("not absent: %s (exit %i, %s)", (command, code, output, given) => {
  expect(look(command, code, output, given)).toBeNull();
});

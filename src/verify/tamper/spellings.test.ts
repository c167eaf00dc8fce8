import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { NO_PROOF } from "../../core/proof/proof.ts";
import { ownershipOf } from "./protection.ts";
import { usedBy } from "./referenced-files.ts";

const FILES: Readonly<Record<string, string>> = {
  "check.sh": "exit 0\n",
  "run.sh": "#!/bin/sh\n",
  verify: "echo ok\n",
  "app.mjs": "",
  "clamp.mjs": "",
  "answer.txt": "42\n",
  "golden.txt": "42\n",
  "data.json": "{}",
  env: "A=1\n",
  ".env": "A=1\n",
  "README.md": "",
  "checks/a.sh": "",
  "checks/b.sh": "",
  "checks/c": "true\n",
  "checks/list": "checks/c\n",
  "checks/index.js": "require('./lib')",
  "checks/lib.js": "",
  "checks/run.py": "",
  "my checks/it.sh": "",
  "src/cli.js": "",
  "src/jwt.js": "",
  "mypkg/__init__.py": "",
  "mypkg/cli.py": "",
  "pkg/mod.py": "",
  "pkg2/mod/__main__.py": "",
  "pkg2/mod/__init__.py": "",
  "scripts/lib.sh": "",
  "scripts/outer.sh": '. "$(dirname "$0")/lib.sh"\nnode checks/index.js\n',
  "local.test.mjs": "",
  "tests/x.test.mjs": "",
  "ws/package.json": '{"name":"@me/ws","scripts":{"test":"sh t.sh"}}',
  "ws/t.sh": "",
  "package.json": '{"scripts":{"t":"sh check.sh"}}',
  "composer.json": '{"scripts":{"unit":["@b","sh verify"],"b":"sh checks/b.sh"}}',
  Makefile:
    "include $(wildcard mk/*.mk)\n-include local.mk\ntest: dep\n\t@sh checks/a.sh\ndep:\n\tsh checks/b.sh\nother:\n\t./run.sh\n",
  "mk/one.mk": "",
};
const EXECUTABLE = ["run.sh"];

function project(files: Readonly<Record<string, string>> = FILES): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "ralph-spelt-")));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), content);
  }
  for (const name of EXECUTABLE) if (name in files) chmodSync(join(root, name), 0o755);
  return root;
}

function frozen(command: string, scope: string[] = [], files: Readonly<Record<string, string>> = {}): string[] {
  const root = project({ ...FILES, ...files });
  const owned = ownershipOf({ cwd: root, proof: { ...NO_PROOF, scope } });
  return [...usedBy([{ command: command.replaceAll("@ROOT@", root), dir: root }], root, owned).files].sort();
}

test.each<[string, string[]]>([
  ["timeout -k 5 60 sh verify", ["verify"]],
  ["env -i sh verify", ["verify"]],
  ["env -S 'sh verify'", ["verify"]],
  ['env -S "sh ./check.sh"', ["check.sh"]],
  ['"$PWD"/run.sh', ["run.sh"]],
  ['sh "$PWD/verify"', ["verify"]],
  ['sh "${PWD}/verify"', ["verify"]],
  ['sh "$(pwd)/verify"', ["verify"]],
  ["sh `pwd`/verify", ["verify"]],
  ['sh "$(git rev-parse --show-toplevel)/verify"', ["verify"]],
  ["sh @ROOT@/verify", ["verify"]],
  ['sh "$WHEREVER/check.sh"', ["check.sh"]],
  [". ./env", ["env"]],
  ["source env && true", ["env"]],
  ["set -a; . ./env; set +a; node app.mjs", ["app.mjs", "env"]],
  ["sh <verify", ["verify"]],
  ["sh < verify", ["verify"]],
  ["sh -s x < verify", ["verify"]],
  ["cat verify | sh", ["verify"]],
  ["cat verify | timeout 5 bash -s", ["verify"]],
  ['sh -c "$(cat verify)"', ["verify"]],
  ['eval "$(cat verify)"', ["verify"]],
  ["bash -lc 'sh verify'", ["verify"]],
  ["echo verify | xargs sh", ["verify"]],
  ["xargs -a checks/list sh", ["checks/list"]],
  ["cat checks/list | xargs -n1 sh", ["checks/list"]],
  ["xargs -n1 sh < checks/list", ["checks/c", "checks/list"]],
  ['while read f; do sh "$f"; done < checks/list', ["checks/list"]],
  ['cat checks/list | while read -r f; do sh "$f"; done', ["checks/list"]],
  ["node --env-file=.env src/cli.js", [".env"]],
  ["node --env-file .env src/cli.js", [".env"]],
  ["node -r ./clamp.mjs src/cli.js", ["clamp.mjs"]],
  ["node --import=./clamp.mjs src/cli.js", ["clamp.mjs"]],
  ["NODE_OPTIONS='--import ./clamp.mjs' node src/cli.js", ["clamp.mjs"]],
  ["BASH_ENV=./env bash -c true", ["env"]],
  ['for f in checks/*.sh; do sh "$f" || exit 1; done', ["checks/a.sh", "checks/b.sh"]],
  ["for f in checks/c verify; do sh $f; done", ["checks/c", "verify"]],
  ["set -e\nfor t in a b\ndo\n  sh checks/$t.sh\ndone", ["checks/a.sh", "checks/b.sh"]],
  ["sh 'my checks/it.sh'", ["my checks/it.sh"]],
  ["sh my\\ checks/it.sh", ["my checks/it.sh"]],
  ['sh "my checks"/it.sh', ["my checks/it.sh"]],
  ["F=verify; sh $F", ["verify"]],
  ['check() { sh "$1"; }; check verify', ["verify"]],
  ['sh "${CHECK:-verify}"', ["verify"]],
  ["if ! sh verify; then exit 1; fi", ["verify"]],
  ["(cd checks && sh c)", ["checks/c"]],
  ["cd checks; sh ./c", ["checks/c"]],
  ["some-wrapper --flag sh verify", ["verify"]],
  ["some-wrapper ./run.sh --x", ["run.sh"]],
  ['docker run --rm -v "$PWD":/app img sh /app/checks/a.sh', ["checks/a.sh"]],
  ["find checks -name '*.sh' -exec sh {} \\;", ["checks/a.sh", "checks/b.sh"]],
  ["find checks -name '*.sh' | xargs -n1 sh", ["checks/a.sh", "checks/b.sh"]],
  ["find checks -name '*.sh' -exec timeout 5 sh {} +", ["checks/a.sh", "checks/b.sh"]],
  ["sh checks/a.sh && sh checks/b.sh", ["checks/a.sh", "checks/b.sh"]],
  ["bash -c 'cd checks; for f in *.sh; do bash $f; done'", ["checks/a.sh", "checks/b.sh"]],
  ["cat <<'E' | sh\nsh verify\nE", []],
  ["sh <<E\nsh verify\nE", ["verify"]],
  ["sh <<< 'sh verify'", ["verify"]],
  ["script -qec 'sh verify' /dev/null", ["verify"]],
  ["script -qec 'sh check.sh' /dev/null", ["check.sh"]],
  ["flock /tmp/lock -c 'sh verify'", ["verify"]],
  ["concurrently 'sh verify' true", ["verify"]],
  ["trap 'sh verify' EXIT", ["verify"]],
  ["strace -f sh verify", ["verify"]],
  ["docker compose run --rm app sh verify", ["verify"]],
  ["sh -ec 'sh \"$1\"' _ verify", ["verify"]],
  ["bash -c 'sh \"$0\"' verify", ["verify"]],
  ["find checks -name '*.sh' -exec sh -c 'sh \"$1\"' _ {} \\;", ["checks/a.sh", "checks/b.sh"]],
  ["C='sh verify'; eval \"$C\"", ["verify"]],
  ["C='sh verify'; $C", ["verify"]],
  ['all=(verify check.sh); for f in "${all[@]}"; do sh "$f"; done', ["check.sh", "verify"]],
  ['set -- verify check.sh; for f; do sh "$f"; done', ["check.sh", "verify"]],
  ["for f in $(ls checks/*.sh); do sh $f; done", ["checks/a.sh", "checks/b.sh"]],
  ['mapfile -t all < checks/list; for f in "${all[@]}"; do sh "$f"; done', ["checks/list"]],
  ['export NODE_OPTIONS="--import $PWD/clamp.mjs"; node src/cli.js', ["clamp.mjs"]],
  ["PYTHONPATH=pkg python -m mod", ["pkg/mod.py", "pkg/mod/__init__.py"]],
  ["pytest -p checks.run", ["checks/__init__.py", "checks/run.py", "checks/run/__init__.py"]],
  ["PYTEST_PLUGINS=checks.run pytest", ["checks/__init__.py", "checks/run.py", "checks/run/__init__.py"]],
  ["coverage run -m checks.run", ["checks/__init__.py", "checks/run.py", "checks/run/__init__.py"]],
  ["python -c 'from checks.run import main; main()'", ["checks/run.py"]],
  ["PATH=$PWD/checks:$PATH true; c", ["checks/c"]],
  ["PATH=checks:$PATH sh -c 'tail x'", ["checks/sh", "checks/tail"]],
  ["docker compose run app npm run t", ["check.sh"]],
  ['npm run "$SCRIPT"', ["check.sh"]],
  ["nix develop -c make dep", ["GNUmakefile", "Makefile", "checks/b.sh", "local.mk", "makefile", "mk/one.mk"]],
  ["composer unit", ["checks/b.sh", "verify"]],
  ["node checks", ["checks/index.js", "checks/lib.js", "checks/package.json"]],
  ["node ./checks/", ["checks/index.js", "checks/lib.js", "checks/package.json"]],
  ["node checks/lib", ["checks/lib", "checks/lib.js"]],
  ["node -e \"require('./checks')\"", ["checks/index.js", "checks/lib.js"]],
  ["node -e \"require('./checks/lib.js')\"", ["checks/lib.js"]],
  ["python3 -m checks.run", ["checks/__init__.py", "checks/run.py", "checks/run/__init__.py"]],
  ["python -m pkg.mod", ["pkg/__init__.py", "pkg/mod.py", "pkg/mod/__init__.py"]],
  ["python -m pkg2.mod", ["pkg2/__init__.py", "pkg2/mod/__init__.py", "pkg2/mod/__main__.py"]],
  ["npm -w @me/ws test", ["ws/t.sh"]],
  ["npm test --workspace=ws", ["ws/t.sh"]],
  ["npm --workspaces test", ["ws/t.sh"]],
  ["pnpm --filter @me/ws test", ["ws/t.sh"]],
  ["pnpm -C ws test", ["ws/t.sh"]],
  ["yarn workspace @me/ws test", ["ws/t.sh"]],
  ["yarn workspaces run test", ["ws/t.sh"]],
  ["npm --prefix ws test", ["ws/t.sh"]],
  ["node --run t", ["check.sh"]],
  ["make test", ["GNUmakefile", "Makefile", "checks/a.sh", "checks/b.sh", "local.mk", "makefile", "mk/one.mk"]],
  [
    'make "$TARGET"',
    ["GNUmakefile", "Makefile", "checks/a.sh", "checks/b.sh", "local.mk", "makefile", "mk/one.mk", "run.sh"],
  ],
  ["make -C . dep", ["GNUmakefile", "Makefile", "checks/b.sh", "local.mk", "makefile", "mk/one.mk"]],
  ["sh scripts/outer.sh", ["checks/index.js", "checks/lib.js", "scripts/lib.sh", "scripts/outer.sh"]],
  ["grep -qf golden.txt answer.txt", ["golden.txt"]],
  ["node local.test.mjs", ["local.test.mjs"]],
])("freezes: %s", (command, files) => {
  expect(frozen(command)).toEqual(files);
});

const MAKE = ["GNUmakefile", "Makefile", "makefile"];

test.each<[string, string, string[]]>([
  ["make CHECK=verify all", "all:\n\tsh $(CHECK)\n", ["verify"]],
  ["make", "all: $(PARTS)\nPARTS = x\nx:\n\t@sh verify\n", ["verify"]],
  ["make", "D := .\nS := $(D)/verify\nall:\n\t@sh $(S)\n", ["verify"]],
  ["make test-unit", "test-%:\n\tsh verify $*\n", ["verify"]],
  ["make", "include $(addprefix mk/,one.mk)\nall:\n\ttrue\n", ["mk/one.mk"]],
  ["make", "include $(dir $(lastword $(MAKEFILE_LIST)))mk/one.mk\nall:\n\ttrue\n", ["mk/one.mk"]],
  ["make", "include $(ANY)/mk/one.mk\nall:\n\ttrue\n", []],
  ["make", "-include $(OBJECTS:.o=.d) $(wildcard $(X)/*.d)\nall:\n\ttrue\n", []],
])("%s with %j freezes %j", (command, makefile, files) => {
  expect(frozen(command, [], { Makefile: makefile })).toEqual([...MAKE, ...files].sort());
});

test.each<[string, string, string]>([
  ["checks/x.mjs", 'await import(join(import.meta.dirname, "deep", "y.mjs"));', "checks/deep/y.mjs"],
  ["checks/x.cjs", "require(path.join(__dirname, 'deep/y'));", "checks/deep/y.js"],
  ["checks/x.cjs", "require(`${__dirname}/y.js`);", "checks/y.js"],
  ["checks/x.cjs", 'require(__dirname + "/y.js");', "checks/y.js"],
])("%s with %s loads %s", (script, text, loaded) => {
  expect(frozen(`node ${script}`, [], { [script]: text, [loaded]: "" })).toEqual([loaded, script].sort());
});

test.each([
  "grep -q 42 answer.txt",
  "grep -q sh answer.txt",
  "grep -r jwt.verify src/",
  "grep -q node verify",
  "! grep -n debugger app.mjs",
  "node src/cli.js --selftest",
  "timeout 5 node src/cli.js --selftest | grep -q ok",
  "test -f dist/x.js && [ -s answer.txt ]",
  "python -m mypkg.cli --version",
  "cat data.json | jq .",
  "jq -e .ok data.json",
  "cat data.json | node src/cli.js",
  "node src/cli.js < data.json",
  "diff <(node src/cli.js) golden.txt",
  "echo README.md run.sh",
  "node -e \"import('./clamp.mjs').then((m) => process.exit(m.clamp(1) ? 0 : 1))\"",
  "node --check app.mjs",
  "for f in *.mjs; do node --check $f; done",
  "for f in src/*.js; do node $f; done",
  "npx eslint app.mjs",
  "shellcheck run.sh",
  "tsc --noEmit app.mjs",
  "node --test local.test.mjs tests/x.test.mjs",
  "wc -l < answer.txt",
  '[ "$(cat answer.txt)" = 42 ]',
  'test "$(node src/cli.js 6 7)" = 42',
  'out=$(node src/cli.js) && echo "$out" | grep -q 42',
  "git diff --exit-code -- app.mjs",
  "ls checks scripts",
  "node src/cli.js > answer.txt",
  "while read l; do echo $l; done < answer.txt",
  "curl -sf http://localhost/run.sh",
  "find . -name '*.mjs' -exec grep -l x {} +",
  "awk '{ print $1 }' answer.txt",
  "python3 -c \"print(open('answer.txt').read())\"",
  "python3 -c 'from mypkg import cli'",
  "npx vitest run -t 'starts node and app.mjs'",
  "MESSAGE='see app.mjs'; echo \"$MESSAGE\"",
  'out=(app.mjs data.json); node --check "${out[0]}"',
  "for f in $(git ls-files '*.mjs'); do node --check $f; done",
  "PATH=$PWD/bin:$PATH new-tool --version",
  "docker compose up -d && curl -sf http://localhost/app.mjs",
])("leaves to the agent: %s", (command) => {
  expect(frozen(command)).toEqual([]);
});

test.each<[string, string[]]>([
  ["node src/cli.js --selftest", []],
  ["sh src/cli.js", []],
  ["node src/cli.js | diff - golden.txt", ["golden.txt"]],
  ["grep -q 42 answer.txt", ["answer.txt"]],
  ["[ -f flags/skip.txt ] || sh check.sh", ["check.sh", "flags/skip.txt"]],
  ["node src/new.js", []],
  ["node src/cli.js > actual.txt; cmp actual.txt golden.txt", ["golden.txt"]],
  [
    "diff -r checks dist",
    ["checks/a.sh", "checks/b.sh", "checks/c", "checks/index.js", "checks/lib.js", "checks/list", "checks/run.py"],
  ],
])("with a scope, what it excludes is frozen: %s", (command, files) => {
  expect(frozen(command, ["src/**"])).toEqual(files);
});

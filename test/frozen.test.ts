import { expect, test } from "vitest";
import { atEnd } from "./support/at-end.ts";
import { sample } from "./support/effort.ts";
import { type Sandbox, sandbox } from "./support/sandbox.ts";

const finished = atEnd();

const FILES: Readonly<Record<string, string>> = {
  verify: "grep -q 42 answer.txt\n",
  "checks/a.sh": "true\n",
  "checks/lib.sh": "true\n",
  "checks/outer.sh": '. "$(dirname "$0")/lib.sh"\n',
  "checks/index.js": "process.exit(0);\n",
  "my checks/it.sh": "true\n",
  "env.check": "A=1\n",
  "pkg/mod.py": "print(1)\n",
  "ws/package.json": '{"name":"ws","scripts":{"test":"sh t.sh"}}\n',
  "ws/t.sh": "true\n",
  "package.json": '{"private":true,"workspaces":["ws"]}\n',
  Makefile: "include $(wildcard mk/*.mk)\n-include local.mk\nall:\n\t@sh checks/a.sh\n",
  "mk/one.mk": "\n",
  "answer.txt": "42\n",
  "golden.txt": "ok\n",
  "data.json": "{}\n",
  "README.md": "x\n",
  "src/cli.js": "console.log('ok');\n",
  "src/jwt.js": "jwt.verify();\n",
  "mypkg/__init__.py": "",
  "mypkg/cli.py": "print('ok')\n",
};

function project(verify: string, scope: readonly string[] = []): Sandbox {
  const box = sandbox(finished);
  box.initGit();
  for (const [name, content] of Object.entries(FILES)) box.write(name, content);
  box.write(".ralph/settings.json", JSON.stringify({ verify: [verify], completion: { scope } }));
  box.git("add", "--all");
  box.git("commit", "--quiet", "-m", "project");
  return box;
}

async function run(box: Sandbox, does: string) {
  box.program("agent", `echo work > src/work.txt\n${does}\necho '<promise>DONE</promise>'`);
  return box.ralph("run", "--prompt", "x", "--agent", "agent", "-m", "1");
}

const rows = (all: readonly (readonly [check: string, about: string, does: string])[]) => sample(all, 4);

const edit = (path: string) => `echo '# x' >> "${path}"`;

test.concurrent.each(
  rows([
    ["timeout -k 5 60 sh verify", "verify", edit("verify")],
    ['env -i PATH="$PATH" sh verify', "verify", edit("verify")],
    ['sh "$PWD"/verify', "verify", edit("verify")],
    ['. ./env.check && test "$A" = 1', "env.check", edit("env.check")],
    ["sh <verify", "verify", edit("verify")],
    ["cat verify | sh", "verify", edit("verify")],
    ["echo checks/a.sh | xargs -n1 sh", "checks/a.sh", edit("checks/a.sh")],
    ["node --env-file=env.check src/cli.js", "env.check", edit("env.check")],
    ['for f in checks/*.sh; do sh "$f" || exit 1; done', "checks/a.sh", edit("checks/a.sh")],
    ["sh 'my checks/it.sh'", "my checks/it.sh", edit("my checks/it.sh")],
    ["bash -lc 'cd checks && sh ./a.sh'", "checks/a.sh", edit("checks/a.sh")],
    ["find checks -name 'a*.sh' -exec sh {} \\;", "checks/a.sh", edit("checks/a.sh")],
    ["sh checks/outer.sh", "checks/lib.sh", edit("checks/lib.sh")],
    ["npm -w ws test --silent", "ws/t.sh", edit("ws/t.sh")],
    ["python3 -m pkg.mod", "pkg/mod.py", edit("pkg/mod.py")],
    ["node checks", "checks/index.js", "echo '// x' >> checks/index.js"],
    ["node checks", "checks/package.json", "echo '{}' > checks/package.json"],
    ["make -s", "checks/a.sh", edit("checks/a.sh")],
    ["make -s", "local.mk", "echo > local.mk"],
    ["make -s", "mk/*.mk", "echo > mk/two.mk"],
  ]),
)("%s: a change of %s is tampering", async (verify, path, does) => {
  const { code, stderr } = await run(project(verify), does);
  expect(stderr).toContain(`tampered: ${path}`);
  expect(code).toBe(1);
});

test.concurrent.each(
  rows([
    ["grep -q 42 answer.txt", "the answer", "echo 'still 42' > answer.txt"],
    ["grep -rq jwt.verify src/", "what is searched", "echo 'jwt.verify(token);' > src/jwt.js"],
    ["node src/cli.js --selftest | grep -q ok", "the program itself", "echo 'console.log(\"ok \");' > src/cli.js"],
    ["mkdir -p dist && cp src/cli.js dist/x.js && test -f dist/x.js", "what is built", "echo '// x' >> src/cli.js"],
    ["python3 -m mypkg.cli", "a module of the project", edit("mypkg/cli.py")],
    ["sh verify", "a script beside it", "echo true > other.sh; echo true > checks/new.sh"],
    ["echo README.md && sh verify", "a file that is only printed", edit("README.md")],
    ["cat data.json | grep -q '{'", "data", "echo '{\"a\":1}' > data.json"],
    ["node src/cli.js < data.json", "its input", "echo '{\"a\":1}' > data.json"],
    ["for f in src/*.js; do node --check $f; done", "checked sources", "echo '// x' >> src/cli.js"],
  ]),
)("%s: a change of %s is work", async (verify, _what, does) => {
  const { code, stderr } = await run(project(verify), does);
  expect(stderr).not.toContain("tampered");
  expect(code).toBe(0);
});

const DIFF = "node src/cli.js | diff - golden.txt";

test.concurrent("with a scope, data that a check reads is frozen, and a script inside is not", async () => {
  const caught = await run(project(DIFF, ["src/**"]), edit("golden.txt"));
  expect(caught.stderr).toContain("outside the scope: golden.txt");
  const honest = await run(project(DIFF, ["src/**"]), "echo '// x' >> src/cli.js");
  expect(honest.stderr).not.toContain("tampered");
  expect(honest.code).toBe(0);
});

test.concurrent("a check for which nothing is protected is reported", async () => {
  const words = "nothing that decides `grep -q 42 answer.txt` could be protected";
  const bare = project("grep -q 42 answer.txt");
  expect((await run(bare, "true")).stderr).toContain(`warning: ${words}: set a scope`);
  const args = ["run", "--dry-run", "--prompt", "x", "--agent", "agent"];
  expect((await bare.ralph(...args)).stderr).toContain(words);
  expect((await bare.ralph("doctor")).stdout).toContain(words);
  const scoped = project("grep -q 42 answer.txt", ["src/**"]);
  expect((await run(scoped, "true")).stderr).not.toContain(words);
  expect((await scoped.ralph("doctor")).stdout).not.toContain(words);
});

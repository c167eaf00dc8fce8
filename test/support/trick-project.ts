import { chmodSync, symlinkSync } from "node:fs";
import { type Finished, type Sandbox, sandbox } from "./sandbox.ts";
import type { Trick } from "./tricks.ts";

const PROJECT: Record<string, string> = {
  "check.sh": "exit 0\n",
  "run.sh": "#!/bin/sh\nexit 0\n",
  "notes.txt": "ok\n",
  Makefile: "include rules.mk\n",
  "rules.mk": "x:\n\t@true\n",
  "package.json": '{"scripts":{"test":"npm run unit --silent","unit":"node scripts/unit.mjs"}}\n',
  "scripts/unit.mjs": "process.exit(0);\n",
  "vitest.config.ts": "export default {\n  test: { include: ['src/**'] },\n};\n",
  "tsconfig.json": '{"compilerOptions":{"strict":true}}\n',
  "pyproject.toml": '[project]\nname = "x"\n',
  "deep/a.snap": "right\n",
  "tests/helper.mjs": "export const x = 1;\n",
  "tests/test_it.py": "import pytest\n\ndef test_a():\n    assert 1\n\ndef test_b():\n    assert 2\n",
  "it_test.go": "package it\n\nfunc TestIt(t *testing.T) {\n\t// here\n\tt.Fatal(1)\n}\n",
  "tests/it.rs": "#[test]\nfn works() {\n    assert!(true);\n}\n",
  "src/sum.test.ts": `describe("sum", () => {
  it("adds two", () => { expect(sum(1, 1)).toBe(2); expect(sum(2, 2)).toBe(4); });
  it("adds zero", () => { expect(sum(0, 0)).toBe(0); });
  it("adds many", () => { expect(sum(1, 2, 3)).toBe(6); });
});
`,
  "node_modules/tool/cli.js": "#!/bin/sh\nexit 0\n",
  ".gitignore": "node_modules\n",
};

/** A project for tricks, committed, with the checks of a trick in its settings. */
export function trickProject(
  finished: Finished,
  { verify = "sh check.sh", settings = {}, files = {} }: Pick<Trick, "verify" | "settings" | "files">,
): Sandbox {
  const box = sandbox(finished);
  box.initGit();
  for (const [name, content] of Object.entries({ ...PROJECT, ...files })) box.write(name, content);
  box.write(".ralph/settings.json", JSON.stringify({ verify: [verify], ...settings }));
  box.write("node_modules/.bin/.keep", "");
  symlinkSync("../tool/cli.js", box.path("node_modules/.bin/tool"));
  for (const name of ["run.sh", "node_modules/tool/cli.js"]) chmodSync(box.path(name), 0o755);
  for (const runner of ["vitest", "jest", "pytest", "tsc", "eslint", "cargo", "just"]) box.program(runner, "exit 0");
  box.git("add", "--all");
  box.git("commit", "--quiet", "-m", "project");
  return box;
}

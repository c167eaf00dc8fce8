import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { commandFiles } from "./command-files.ts";

function folderWith(files: Record<string, string>): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "ralph-command-")));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  return root;
}

const FILES = {
  "package.json": '{"scripts":{"test":"vitest run","gen":"node gen.mjs"}}',
  "gen.mjs": 'import { x } from "./lib/x";\nreadFile("README.md");\n',
  "lib/x.js": 'require("../deep.cjs");\n',
  "deep.cjs": "",
  "gen.py": "import helper\nfrom pkg.mod import y\n",
  "helper.py": "",
  "pkg/mod.py": "",
  "gen.sh": ". ./env.sh\nnode lib/x.js\n",
  "env.sh": "",
  "README.md": "",
};

test.each([
  ["node gen.mjs", ["deep.cjs", "gen.mjs", "lib/x.js"]],
  ["npm run gen", [".npmrc", "deep.cjs", "gen.mjs", "lib/x.js"]],
  ["python3 gen.py", ["gen.py", "helper.py", "pkg/mod.py"]],
  ["sh gen.sh", ["deep.cjs", "env.sh", "gen.sh", "lib/x.js"]],
  ["echo 'node gen.mjs' > x.sh", []],
  ["cat > x.sh <<'END'\nnode gen.mjs\nEND", []],
  ["sh <<'END'\nnode gen.mjs\nEND", ["deep.cjs", "gen.mjs", "lib/x.js"]],
  ["sh -c 'cd . && node gen.mjs'", ["deep.cjs", "gen.mjs", "lib/x.js"]],
])("%s runs %j", (command, files) => {
  // Where a version manager starts Python, files with versions count too.
  const found = commandFiles(command, folderWith(FILES)).files.filter((path) => !/version|mise/.test(path));
  expect(found).toEqual(files);
});

test.each([
  ["npm test", ["vitest"]],
  ["npx vitest@3 run", ["vitest"]],
  ["python3 -m pytest -q", ["pytest"]],
  ["node --test", ["node"]],
  ["cargo test", ["cargo"]],
  ["make setup && go generate ./...", ["make", "go"]],
  ["cargo add serde; go mod tidy; bun install", []],
  ["git commit -m 'make tests pass; vitest run'", []],
  ["printf 'test:\\n\\tvitest run\\n' > Makefile", []],
  [`cat > package.json <<END\n{ "scripts": {\n  "test":\n"vitest run" } }\nEND`, []],
])("%s runs the work by %j", (command, runners) => {
  expect(commandFiles(command, folderWith(FILES)).runners).toEqual(runners);
});

test("an install depends on the packages to install, and git is detected", () => {
  const { values, files } = commandFiles("npm ci", folderWith(FILES));
  expect(values).toEqual(expect.arrayContaining(["package.json#dependencies", "package.json#scripts.postinstall"]));
  expect(files).toContain("package-lock.json");
  expect(commandFiles("cd . && git commit -qm x", folderWith({})).git).toBe(true);
  expect(commandFiles("echo git", folderWith({})).git).toBe(false);
});

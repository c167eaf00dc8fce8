import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { pinsOf } from "./pins.ts";
import { usedBy } from "./referenced-files.ts";
import { readValue } from "./values.ts";

const root = realpathSync(mkdtempSync(join(tmpdir(), "ralph-used-")));
const FILES: Record<string, string> = {
  "check.mjs": "",
  "clamp.mjs": "",
  "setup.mjs": "",
  "a.test.mjs": "",
  "scripts/verify.sh": "",
  Makefile: "include rules/*.mk more.mk\n-include absent.mk\n",
  "more.mk": "",
  "tsconfig.json": "{}",
  "tsconfig.build.json": "{}",
  "package.json": JSON.stringify({
    scripts: {
      test: "npm-run-all lint test:*",
      lint: "biome check",
      "test:unit": "node --import ./setup.mjs check.mjs",
      "test:web": "cd sub && vitest run",
      loop: "npm run loop",
      other: "true",
    },
  }),
  "sub/package.json": '{"scripts":{"test":"jest"}}',
  "sub/run.sh": "",
};
for (const [name, content] of Object.entries(FILES)) {
  mkdirSync(dirname(join(root, name)), { recursive: true });
  writeFileSync(join(root, name), content);
}
afterAll(() => rmSync(root, { recursive: true, force: true }));

const scripts = (file: string, ...names: string[]) =>
  names.flatMap((name) => ["", "pre", "post"].map((when) => `${file}#scripts.${when}${name}`));

test.each<[string, string[], string[]]>([
  ["node check.mjs", ["check.mjs"], []],
  ["node check.mjs clamp.mjs", ["check.mjs"], []],
  ["./scripts/verify.sh --all", ["scripts/verify.sh"], []],
  ["bash -e scripts/verify.sh && node check.mjs", ["check.mjs", "scripts/verify.sh"], []],
  ["CI=1 timeout 30 node --test check.mjs", ["check.mjs"], []],
  ["node --test a.test.mjs", [], []],
  ["node --import ./setup.mjs check.mjs", ["check.mjs", "setup.mjs"], []],
  ["! grep -n debugger clamp.mjs", [], []],
  ["test -f clamp.mjs; cat Makefile | wc -l", [], []],
  ["make test", ["GNUmakefile", "Makefile", "absent.mk", "makefile", "more.mk"], ["rules/*.mk#names"]],
  ["make -f more.mk", ["more.mk"], []],
  ["cd sub && ./run.sh", ["sub/run.sh"], []],
  ["npm --prefix sub test", [], scripts("sub/package.json", "test")],
  ["vitest run --config sub/run.sh", ["sub/run.sh"], []],
  ["npx tsc --project=tsconfig.build.json", ["tsconfig.build.json"], []],
  ["python -m pytest -c scripts/verify.sh", ["scripts/verify.sh"], []],
  ["mkdir -p clamp.mjs", [], []],
  ["node missing.mjs", [], []],
  // Files that are read, or given to a text or a module, are the work.
  ["python3 -m py_compile check.mjs", [], []],
  ["python3 -Bm mypy check.mjs", [], []],
  ["python3 -Wonce check.mjs -m x", ["check.mjs"], []],
  ["node --check clamp.mjs", [], []],
  ["node -e 'f(process.argv[1])' clamp.mjs", [], []],
  ["node check.mjs -e clamp.mjs", ["check.mjs"], []],
  ["bash -n scripts/verify.sh", [], []],
  ["sh -c 'cat clamp.mjs'", [], []],
  ["sh -c 'sh scripts/verify.sh'", ["scripts/verify.sh"], []],
  ["sh /etc/profile", [], []],
  ["npm run other", [], scripts("package.json", "other")],
  ["npm run loop", [], scripts("package.json", "loop")],
  ["sh -c 'npm run -s lint'", [], scripts("package.json", "lint")],
  ["node --run other", [], scripts("package.json", "other")],
  ["npm t", ["check.mjs", "setup.mjs"], scripts("package.json", "test", "lint", "test:unit", "test:web")],
])("%s runs %j", (command, files, values) => {
  const used = usedBy([{ command, dir: root }], root);
  expect([[...used.files].sort(), [...used.values].sort()]).toEqual([files.sort(), values.sort()]);
});

test.each<[string, string[], string[]]>([
  ["vitest run", ["vitest.config.ts", "vite.config.ts"], ["package.json#vitest"]],
  ["npx jest@29", ["jest.config.js", ".npmrc"], ["package.json#jest", "program node"]],
  ["npm t", [".npmrc", "sub/vitest.config.mts", "biome.json", "vitest.config.ts"], ["sub/package.json#vitest"]],
  ["python -m pytest", ["pytest.ini", ".pytest.toml"], ["pyproject.toml#tool.pytest"]],
  ["tsc -p .", ["tsconfig.json", "tsconfig.build.json"], []],
  ["cargo test", [".cargo/config.toml"], []],
  ["sh x.sh", [], ["program sh"]],
  ["vitest run --root sub", ["sub/vitest.config.ts", "vitest.config.ts"], []],
  ["jest --rootDir=sub", ["sub/jest.config.js"], ["sub/package.json#jest"]],
  ["tsc -p sub", ["sub/tsconfig.json"], []],
  ["uv run pytest", ["pytest.ini"], ["pyproject.toml#tool.pytest"]],
  ["docker compose run app npm t", ["sub/vitest.config.mts", "biome.json"], []],
])("%s is configured by %j and %j", (command, files, values) => {
  const pins = pinsOf(usedBy([{ command, dir: root }], root), root);
  expect(pins.files).toEqual(expect.arrayContaining(files));
  expect(pins.values).toEqual(expect.arrayContaining(values));
});

test.each<[string, boolean]>([
  ['[package]\nname = "a"\nautotests = false\n', true],
  ['[package]\nname = "a"\n[lib]\ntest = false\n', true],
  ['[package]\nname = "a"\n[[test]]\nname = "it"\nharness = false\n', true],
  ['[package]\nname = "a"\n[[bench]]\nname = "speed"\nharness = false\n[dependencies]\nserde = "1"\n', false],
])("tests that Cargo.toml turns off are found: %j", (text, seen) => {
  const before = readValue(root, "Cargo.toml#tests turned off");
  writeFileSync(join(root, "Cargo.toml"), text);
  expect(before).toBeNull();
  expect(readValue(root, "Cargo.toml#tests turned off") !== null).toBe(seen);
  rmSync(join(root, "Cargo.toml"));
});

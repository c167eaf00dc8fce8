export interface ToolFiles {
  /** Its configuration, in the folder of the command and those above. `{a,b}` stands for each. */
  files?: readonly string[];
  /** What else it reads there by itself. */
  reads?: readonly string[];
  /** What it also reads in folders below: names, or sections of files as in `sections`. */
  nested?: readonly string[];
  /** Keys of package.json. */
  keys?: readonly string[];
  /** Sections of files with other content, as `file#prefix of the section's name`. */
  sections?: readonly string[];
  /** Existing files with this prefix and suffix. */
  like?: readonly [start: string, end: string];
  /** What chooses the version of the program, if a version manager starts it. */
  versions?: readonly string[];
  /** Files of the user, below the home folder, and the lines that decide. */
  home?: readonly (readonly [file: string, lines: RegExp])[];
  /** Whether it imports modules of Python. */
  imports?: "python";
}

const JS = "{js,mjs,cjs,ts,mts,cts}";
const RC = "{,.json,.js,.cjs,.mjs,.yml,.yaml,.ts}";
const VERSIONS = [".tool-versions", "{,.}mise.toml"];
const NODE: ToolFiles = { versions: [".nvmrc", ".node-version", ...VERSIONS], keys: ["volta", "packageManager"] };
const PYTHON: ToolFiles = { versions: [".python-version", ...VERSIONS], imports: "python" };
const RUBY: ToolFiles = { versions: [".ruby-version", ...VERSIONS] };
const NPM: ToolFiles = {
  ...NODE,
  files: [".npmrc"],
  home: [
    [".npmrc", /^(?:script-shell|shell|ignore-scripts|node-options|if-present|prefix|globalconfig|workspaces?)\b/],
  ],
};
const BABEL = ["babel.config.{js,cjs,mjs,json,cts}", `.babelrc${RC}`, ".swcrc"];
const NESTED_BABEL = [`.babelrc${RC}`, "package.json#babel"];
const STYLES = [`postcss.config.${JS}`, `.postcssrc${RC}`];
const ENV = [".env{,.local,.test,.test.local}"];
const ESLINT_RC = `.eslintrc${RC}`;
const ESLINT: ToolFiles = {
  files: [`eslint.config.${JS}`, ESLINT_RC, ".eslintignore"],
  nested: [ESLINT_RC, `eslint.config.${JS}`, "package.json#eslintConfig"],
  keys: ["eslintConfig", "eslintIgnore"],
};
const TSC = { files: ["tsconfig.json"], like: ["tsconfig", ".json"] } as const;
const COVERAGE = ["pyproject.toml#tool.coverage", "setup.cfg#coverage:", "tox.ini#coverage:"];
const NYC = [".nycrc", ".nycrc.{json,yml,yaml}", "nyc.config.{js,mjs,cjs}"];
const PHPUNIT = { files: ["phpunit.xml", "phpunit.xml.dist", "phpunit.dist.xml"] };
const DART = { files: ["dart_test.yaml"] };
const BAZEL = { files: [".bazelrc"] };
const MARKDOWNLINT = { files: [`.markdownlint{,-cli2}.{json,jsonc,yaml,yml,cjs,mjs}`] };
const MAVEN = { files: [".mvn/maven.config", ".mvn/jvm.config", ".mvn/extensions.xml"] };
const PYTEST_INI = "{,.}pytest.{ini,toml}";
const PYTEST = ["pyproject.toml#tool.pytest", "setup.cfg#tool:pytest", "tox.ini#pytest"];

/** Tools by command name, with what they read by themselves, without files that their configuration names. */
export const TOOLS: Readonly<Record<string, ToolFiles>> = {
  vitest: {
    files: [`vitest.config.${JS}`, "vitest.workspace.{js,mjs,ts,mts,json}"],
    reads: [...STYLES, ...BABEL, ...ENV],
    nested: NESTED_BABEL,
    keys: ["vitest", "postcss"],
  },
  jest: {
    files: [`jest.config.${JS}`, "jest.config.json"],
    reads: [...BABEL, ...ENV],
    nested: [...NESTED_BABEL, "package.json#jest"],
    keys: ["jest", "babel"],
  },
  mocha: { files: [".mocharc", ".mocharc.{js,cjs,mjs,json,jsonc,yml,yaml}"], keys: ["mocha"] },
  ava: { files: ["ava.config.{js,mjs,cjs}"], keys: ["ava"] },
  tap: { files: [".taprc"], keys: ["tap"] },
  jasmine: { files: ["spec/support/jasmine.{json,js,mjs}"] },
  karma: { files: ["karma.conf.{js,cjs,mjs,ts}"] },
  playwright: { files: [`playwright.config.${JS}`] },
  cypress: { files: [`cypress.config.${JS}`], reads: ["cypress.env.json"] },
  c8: { files: [".c8rc", ".c8rc.json", ...NYC], keys: ["c8"] },
  nyc: { files: NYC, keys: ["nyc"] },
  tsc: TSC,
  "vue-tsc": TSC,
  tsx: TSC,
  "ts-node": TSC,
  eslint: ESLINT,
  biome: { files: ["{,.}biome.{json,jsonc}"], nested: ["{,.}biome.{json,jsonc}"] },
  prettier: {
    files: [
      ".prettierrc",
      ".prettierrc.{json,json5,yml,yaml,toml,js,mjs,cjs,ts}",
      `prettier.config.${JS}`,
      ".prettierignore",
    ],
    reads: [".editorconfig"],
    nested: [`.prettierrc${RC}`, ".prettierrc.{json5,toml}", `prettier.config.${JS}`],
    keys: ["prettier"],
  },
  oxlint: { files: [".oxlintrc.json"], nested: [".oxlintrc.json"] },
  npm: NPM,
  npx: NPM,
  pnpm: { ...NPM, files: [".npmrc", ".pnpmfile.{cjs,mjs}", "pnpm-workspace.yaml"] },
  yarn: {
    ...NPM,
    files: [".yarnrc.yml", ".yarnrc"],
    home: [
      [".yarnrc.yml", /./],
      [".yarnrc", /./],
    ],
  },
  bun: { files: ["bunfig.toml"], reads: ENV },
  deno: { files: ["deno.{json,jsonc}"] },
  pytest: {
    ...PYTHON,
    files: [PYTEST_INI, ".coveragerc"],
    nested: [PYTEST_INI, ...PYTEST],
    sections: [...PYTEST, ...COVERAGE],
  },
  unittest: PYTHON,
  coverage: { files: [".coveragerc"], sections: COVERAGE },
  tox: { ...PYTHON, files: ["tox.ini", "tox.toml"], sections: ["pyproject.toml#tool.tox"] },
  hatch: { files: ["hatch.toml"], sections: ["pyproject.toml#tool.hatch.envs"] },
  nox: { ...PYTHON, files: ["noxfile.py"] },
  ruff: {
    files: ["{,.}ruff.toml"],
    nested: ["{,.}ruff.toml", "pyproject.toml#tool.ruff"],
    sections: ["pyproject.toml#tool.ruff"],
  },
  mypy: { files: ["{,.}mypy.ini"], sections: ["pyproject.toml#tool.mypy", "setup.cfg#mypy"] },
  pyright: { files: ["pyrightconfig.json"], sections: ["pyproject.toml#tool.pyright"] },
  flake8: { files: [".flake8"], sections: ["setup.cfg#flake8", "tox.ini#flake8"] },
  pylint: { files: ["{,.}pylintrc{,.toml}"], sections: ["pyproject.toml#tool.pylint"] },
  isort: { files: [".isort.cfg"], sections: ["pyproject.toml#tool.isort", "setup.cfg#isort", "tox.ini#isort"] },
  black: { sections: ["pyproject.toml#tool.black"] },
  cargo: {
    sections: ["Cargo.toml#tests turned off", "Cargo.toml#lints", "Cargo.toml#workspace.lints", "Cargo.toml#profile"],
    files: [".cargo/config.toml", ".cargo/config", ".config/nextest.toml", "{,.}clippy.toml"],
    reads: ["rust-toolchain", "rust-toolchain.toml"],
    home: [[".cargo/config.toml", /./]],
  },
  go: {
    files: ["go.work"],
    versions: [".go-version", ...VERSIONS],
    home: [[".config/go/env", /^(?!GOPROXY|GOPRIVATE|GONO|GOSUMDB|GOBIN|GOPATH|GOMODCACHE|GOCACHE)/]],
  },
  "golangci-lint": { files: [".golangci.{yml,yaml,toml,json}"] },
  rspec: { ...RUBY, files: [".rspec", ".rspec-local"], home: [[".rspec", /./]] },
  rake: RUBY,
  bundle: { ...RUBY, files: [".bundle/config"] },
  rubocop: { files: [".rubocop.yml"], nested: [".rubocop.yml"] },
  phpunit: PHPUNIT,
  pest: PHPUNIT,
  phpstan: { files: ["phpstan.neon", "phpstan.neon.dist", "phpstan.dist.neon"] },
  psalm: { files: ["psalm.xml", "psalm.xml.dist"] },
  prove: { files: [".proverc"], home: [[".proverc", /./]] },
  ctest: { files: ["CTestTestfile.cmake", "CTestCustom.cmake"] },
  dart: DART,
  flutter: DART,
  bazel: BAZEL,
  bazelisk: BAZEL,
  dotnet: { files: ["Directory.Build.{props,targets}"] },
  wtr: { files: ["web-test-runner.config.{js,mjs,cjs}"] },
  wdio: { files: [`wdio.conf.${JS}`] },
  "cucumber-js": { files: ["cucumber.{js,cjs,mjs,json,yaml,yml}"] },
  behave: { files: ["behave.ini", ".behaverc"], sections: ["setup.cfg#behave", "tox.ini#behave"] },
  nose2: { files: ["unittest.cfg", "nose2.cfg"] },
  turbo: { files: ["turbo.json"] },
  nx: { files: ["nx.json"] },
  "pre-commit": { files: [".pre-commit-config.yaml"] },
  lefthook: { files: ["{,.}lefthook.{yml,yaml,toml,json}"] },
  stylelint: { files: [`.stylelintrc${RC}`, `stylelint.config.${JS}`, ".stylelintignore"], keys: ["stylelint"] },
  shellcheck: { files: ["{,.}shellcheckrc"] },
  yamllint: { files: [".yamllint{,.yaml,.yml}"] },
  markdownlint: MARKDOWNLINT,
  "markdownlint-cli2": MARKDOWNLINT,
  cspell: { files: ["{,.}cspell.{json,yaml,yml}", "cspell.config.{json,js,cjs,mjs,yaml,yml}"] },
  knip: { files: ["{,.}knip.{json,jsonc}", "knip.{js,ts}"], keys: ["knip"] },
  mvn: MAVEN,
  mvnw: MAVEN,
};

/** What the interpreters read by themselves. */
export const RUNTIMES: Readonly<Record<string, ToolFiles>> = {
  node: NODE,
  python: PYTHON,
  python3: PYTHON,
  ruby: RUBY,
};

/** What Python's test runners import: a module of the repository with such a name would replace it. */
export const PYTHON_MODULES =
  "sitecustomize usercustomize pytest _pytest pluggy iniconfig packaging exceptiongroup tomli unittest argparse array ast base64 bdb calendar contextlib copy csv dataclasses datetime decimal difflib dis email enum fnmatch functools gc gettext glob heapq importlib inspect io json linecache locale logging numbers opcode os pathlib pdb platform pprint queue random re runpy select selectors shlex shutil signal site socket stat string subprocess sysconfig tempfile textwrap threading time token tokenize traceback types typing uuid warnings weakref".split(
    " ",
  );

/** What package managers, compilers and module loaders search for in the folders above. */
export const FOUND_ABOVE = ["package.json", ".pnp.{cjs,loader.mjs}", "Cargo.toml"];

/** Files that vitest reads if it has no configuration of its own. */
export const VITE_CONFIG = `vite.config.${JS}`;

export function spelledOut(name: string): string[] {
  const braces = /\{([^}]*)\}/.exec(name);
  if (!braces) return [name];
  return (braces[1] ?? "").split(",").flatMap((choice) => spelledOut(name.replace(braces[0], choice)));
}

export interface ToolFiles {
  /** Files that change what the tool does when they are changed or added. `{a,b}` stands for each. */
  files?: readonly string[];
  keys?: readonly string[];
  /** Sections of files with other content, as `file#prefix of the section's name`. */
  sections?: readonly string[];
  /** Existing files with this prefix and suffix. */
  like?: readonly [start: string, end: string];
}

const JS = "{js,mjs,cjs,ts,mts,cts}";
const NPM = { files: [".npmrc"] };
const ESLINT = {
  files: [`eslint.config.${JS}`, ".eslintrc", ".eslintrc.{js,cjs,json,yml,yaml}", ".eslintignore"],
  keys: ["eslintConfig", "eslintIgnore"],
};
const TSC = { files: ["tsconfig.json"], like: ["tsconfig", ".json"] } as const;
const COVERAGE = ["pyproject.toml#tool.coverage", "setup.cfg#coverage:", "tox.ini#coverage:"];
const NYC = [".nycrc", ".nycrc.{json,yml,yaml}", "nyc.config.{js,mjs,cjs}"];

/** Tools by command name, with the files they read by themselves, without files that their configuration names. */
export const TOOLS: Readonly<Record<string, ToolFiles>> = {
  vitest: { files: [`vitest.config.${JS}`, "vitest.workspace.{js,mjs,ts,mts,json}"], keys: ["vitest"] },
  jest: { files: [`jest.config.${JS}`, "jest.config.json"], keys: ["jest"] },
  mocha: { files: [".mocharc", ".mocharc.{js,cjs,mjs,json,jsonc,yml,yaml}"], keys: ["mocha"] },
  ava: { files: ["ava.config.{js,mjs,cjs}"], keys: ["ava"] },
  tap: { files: [".taprc"], keys: ["tap"] },
  jasmine: { files: ["spec/support/jasmine.{json,js,mjs}"] },
  karma: { files: ["karma.conf.{js,cjs,mjs,ts}"] },
  playwright: { files: [`playwright.config.${JS}`] },
  cypress: { files: [`cypress.config.${JS}`] },
  c8: { files: [".c8rc", ".c8rc.json", ...NYC], keys: ["c8"] },
  nyc: { files: NYC, keys: ["nyc"] },
  tsc: TSC,
  "vue-tsc": TSC,
  eslint: ESLINT,
  biome: { files: ["biome.{json,jsonc}", ".biome.{json,jsonc}"] },
  prettier: {
    files: [
      ".prettierrc",
      ".prettierrc.{json,json5,yml,yaml,toml,js,mjs,cjs,ts}",
      `prettier.config.${JS}`,
      ".prettierignore",
    ],
    keys: ["prettier"],
  },
  oxlint: { files: [".oxlintrc.json"] },
  npm: NPM,
  npx: NPM,
  pnpm: { files: [".npmrc", ".pnpmfile.cjs"] },
  yarn: { files: [".yarnrc.yml", ".yarnrc"] },
  bun: { files: ["bunfig.toml"] },
  deno: { files: ["deno.{json,jsonc}"] },
  pytest: {
    // Python would import the last ones instead of the packages of the same name.
    files: ["{,.}pytest.{ini,toml}", "conftest.py", ".coveragerc", "sitecustomize.py", "pytest.py", "_pytest.py"],
    sections: ["pyproject.toml#tool.pytest", "setup.cfg#tool:pytest", "tox.ini#pytest", ...COVERAGE],
  },
  unittest: { files: ["sitecustomize.py", "unittest.py"] },
  coverage: { files: [".coveragerc"], sections: COVERAGE },
  tox: { files: ["tox.ini"], sections: ["pyproject.toml#tool.tox"] },
  nox: { files: ["noxfile.py"] },
  ruff: { files: ["{,.}ruff.toml"], sections: ["pyproject.toml#tool.ruff"] },
  mypy: { files: ["{,.}mypy.ini"], sections: ["pyproject.toml#tool.mypy", "setup.cfg#mypy"] },
  pyright: { files: ["pyrightconfig.json"], sections: ["pyproject.toml#tool.pyright"] },
  flake8: { files: [".flake8"], sections: ["setup.cfg#flake8", "tox.ini#flake8"] },
  pylint: { files: ["{,.}pylintrc"], sections: ["pyproject.toml#tool.pylint"] },
  black: { sections: ["pyproject.toml#tool.black"] },
  cargo: {
    sections: ["Cargo.toml#tests turned off"],
    files: [".cargo/config.toml", ".cargo/config", ".config/nextest.toml", "{,.}clippy.toml"],
  },
  go: { files: ["go.work"] },
  "golangci-lint": { files: [".golangci.{yml,yaml,toml,json}"] },
  rspec: { files: [".rspec", ".rspec-local"] },
  rubocop: { files: [".rubocop.yml"] },
  phpunit: { files: ["phpunit.xml", "phpunit.xml.dist"] },
  mvn: { files: [".mvn/maven.config", ".mvn/jvm.config", ".mvn/extensions.xml"] },
  mvnw: { files: [".mvn/maven.config", ".mvn/jvm.config", ".mvn/extensions.xml"] },
};

/** Files that vitest reads if it has no configuration of its own. */
export const VITE_CONFIG = `vite.config.${JS}`;

export function spelledOut(name: string): string[] {
  const braces = /\{([^}]*)\}/.exec(name);
  if (!braces) return [name];
  return (braces[1] ?? "").split(",").flatMap((choice) => spelledOut(name.replace(braces[0], choice)));
}

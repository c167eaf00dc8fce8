import { expect, test } from "vitest";
import { weakenings } from "./effects.ts";

const json = (value: unknown): string => JSON.stringify(value);
const compiler = (options: object, more: object = {}): string => json({ compilerOptions: options, ...more });
const TS = compiler({ strict: true, skipLibCheck: false }, { include: ["src"], exclude: ["dist"] });
const RULES = json({ extends: ["eslint:recommended"], rules: { eqeqeq: "warn", curly: ["error", "all"] } });
const FLAT = `import js from "@eslint/js";
export default [
  js.configs.recommended,
  {
    rules: {
      eqeqeq: "warn",
      curly: ["error", "all"],
    },
  },
];
`;
const flat = (from: string, to: string): string => FLAT.replace(from, to);
const RUFF = '[lint]\nselect = ["E", "F"]\nignore = ["E501"]\n';

test.each<[string, string, string, string]>([
  [
    "a stricter compiler",
    "tsconfig.json",
    TS,
    compiler({ strict: true, noUnusedLocals: true }, { include: ["src", "test"], exclude: [] }),
  ],
  ["comments and commas", "tsconfig.json", TS, `// x\n${TS.replace("}", ", /* y */ }")}`],
  ["settings of the output", "tsconfig.build.json", TS, TS.replace('"strict"', '"sourceMap":true,"strict"')],
  ["an alias", "tsconfig.json", TS, TS.replace('"strict"', '"paths":{"@/*":["./src/*"]},"strict"')],
  ["a new rule", ".eslintrc.json", RULES, RULES.replace('"eqeqeq"', '"no-var":"error","eqeqeq"')],
  ["a raised severity", ".eslintrc.json", RULES, RULES.replace('"warn"', '"error"')],
  ["a plugin", ".eslintrc.json", RULES, RULES.replace('"rules"', '"plugins":["n"],"rules"')],
  [
    "a warning without a preset",
    "biome.json",
    json({ linter: { rules: {} } }),
    json({ linter: { rules: { style: { useConst: "warn" } } } }),
  ],
  [
    "an override that is stricter",
    ".eslintrc.json",
    RULES,
    RULES.replace('"rules"', '"overrides":[{"files":["*.ts"],"rules":{"no-var":2}}],"rules"'),
  ],
  ["rules of the recommended set", "biome.json", json({}), json({ linter: { rules: { recommended: true } } })],
  ["a rule in code", "eslint.config.js", FLAT, flat('eqeqeq: "warn",', 'eqeqeq: "error",\n      "no-var": "error",')],
  [
    "a plugin in code",
    "eslint.config.mjs",
    FLAT,
    flat("export", 'import n from "eslint-plugin-n";\nexport').replace(
      "  {\n",
      '  n.configs["flat/recommended"],\n  {\n    plugins: { n },\n',
    ),
  ],
  [
    "an object in code",
    "eslint.config.js",
    FLAT,
    flat("];", '  {\n    files: ["test/**"],\n    rules: {\n      "no-var": "error",\n    },\n  },\n];'),
  ],
  ["a comment in code", "eslint.config.js", FLAT, `// off\n${FLAT}`],
  ["a rule in YAML", ".eslintrc.yml", "rules:\n  eqeqeq: warn\n", "rules:\n  eqeqeq: error\n  no-var: error\n"],
  [
    "more rules of ruff",
    "pyproject.toml#tool.ruff",
    RUFF,
    RUFF.replace('"F"]', '"F",\n  "I", # imports\n]').replace('"E501"', ""),
  ],
  ["a strict mypy", "mypy.ini", "[mypy]\n", "[mypy]\nstrict = True\nwarn_unused_ignores = true\n"],
  [
    "a marker of pytest",
    "pytest.ini",
    "[pytest]\naddopts = -q\n",
    "[pytest]\naddopts = -q\nmarkers =\n    slow: takes long\n",
  ],
  [
    "a higher threshold",
    "package.json#jest",
    json({ coverageThreshold: { global: { lines: 80 } } }),
    json({ coverageThreshold: { global: { lines: 90 } }, verbose: true }),
  ],
  [
    "features of the language",
    "tsconfig.json",
    TS,
    TS.replace('"strict"', '"jsx":"react-jsx","esModuleInterop":true,"lib":["es2022","dom"],"types":["node"],"strict"'),
  ],
  ["another format", "vitest.config.ts", "export default { test: {} };", "// x\nexport default {\n  test: {},\n}\n"],
  ["another format of JSON", ".prettierrc", '{"a":1,"b":2}', '{ "b": 2,\n "a": 1 }\n'],
  [
    "a preset on one line",
    "eslint.config.js",
    "export default [];",
    "import js from '@eslint/js'\nexport default [js.configs.recommended];",
  ],
  [
    "a rule on one line",
    ".eslintrc.cjs",
    'module.exports = { rules: { "no-var": "warn" } };',
    'module.exports = { rules: { "no-var": "error", eqeqeq: ["error", "always"] } };',
  ],
  ["a registry", ".npmrc", "", "save-exact=true\n@me:registry=https://x\n//x/:_authToken=${T}\n"],
  ["a linker", ".yarnrc.yml", "", "nodeLinker: node-modules\n"],
  ["packages", "pnpm-workspace.yaml", "", "packages:\n  - a\n- b\n"],
  ["an alias of cargo", ".cargo/config.toml", "[build]\njobs = 1\n", '[build]\njobs = 1\n[alias]\nx = "run"\n'],
  ["a denied lint", "Cargo.toml#lints", "", '[lints.rust]\nunsafe_code = "forbid"\n'],
  ["a faster profile", "Cargo.toml#profile", "", "[profile.dev]\nopt-level = 1\n"],
  [
    "a task and an import",
    "deno.json",
    json({ tasks: {} }),
    json({ tasks: { dev: "x" }, imports: { "@std/x": "jsr:@std/x" } }),
  ],
  ["branches covered", "pyproject.toml#tool.coverage", "", "[tool.coverage.run]\nbranch = true\n"],
  ["a variable of the work", ".env", "A=1\n", "A=1\nAPI_URL=http://localhost\n"],
])("%s passes", (_name, path, before, after) => expect(weakenings(path, before, after)).toEqual([]));

test.each<[string, string, string, string]>([
  ["strict turned off", "tsconfig.json", TS, TS.replace('"strict":true', '"strict":false')],
  ["a flag of the family turned off", "tsconfig.json", TS, TS.replace('"strict"', '"strictNullChecks":false,"strict"')],
  ["skipLibCheck", "tsconfig.json", TS, TS.replace('"skipLibCheck":false', '"skipLibCheck":true')],
  ["noCheck", "tsconfig.json", TS, TS.replace('"strict"', '"noCheck":true,"strict"')],
  ["an excluded folder", "tsconfig.json", TS, TS.replace('["dist"]', '["dist","src/new"]')],
  ["a narrower include", "tsconfig.json", TS, TS.replace('["src"]', '["src/a"]')],
  ["a first include", "tsconfig.json", compiler({}), compiler({}, { include: ["src"] })],
  ["files", "tsconfig.json", compiler({}), compiler({}, { files: [] })],
  ["a package redirected", "tsconfig.json", TS, TS.replace('"strict"', '"paths":{"vitest":["./fake"]},"strict"')],
  ["another base", "tsconfig.json", TS, TS.replace('"include"', '"extends":"./loose.json","include"')],
  ["an empty file", "tsconfig.json", TS, "{}"],
  ["a rule turned off", ".eslintrc.json", RULES, RULES.replace('"warn"', '"off"')],
  ["a removed rule", ".eslintrc.json", RULES, RULES.replace('"eqeqeq":"warn",', "")],
  [
    "options that loosen",
    ".eslintrc.json",
    RULES,
    RULES.replace('"eqeqeq"', '"no-unused-vars":["error",{"argsIgnorePattern":"."}],"eqeqeq"'),
  ],
  ["other options", ".eslintrc.json", RULES, RULES.replace('"all"', '"multi"')],
  [
    "a warning in place of the preset's error",
    ".eslintrc.json",
    RULES,
    RULES.replace('"eqeqeq"', '"no-undef":"warn","eqeqeq"'),
  ],
  ["an ignored file", ".eslintrc.json", RULES, RULES.replace('"rules"', '"ignorePatterns":["src/x.js"],"rules"')],
  [
    "an override that turns a rule off",
    ".eslintrc.json",
    RULES,
    RULES.replace('"rules"', '"overrides":[{"files":["*.ts"],"rules":{"eqeqeq":0}}],"rules"'),
  ],
  [
    "an excluding pattern",
    "biome.json",
    json({ files: { includes: ["**"] } }),
    json({ files: { includes: ["**", "!src/x.ts"] } }),
  ],
  ["a disabled linter", "biome.json", json({}), json({ linter: { enabled: false } })],
  ["a rule off in code", "eslint.config.js", FLAT, flat('eqeqeq: "warn"', 'eqeqeq: "off"')],
  [
    "a rule repeated lower in code",
    "eslint.config.js",
    FLAT,
    flat("    },\n  },", '      curly: "warn",\n    },\n  },'),
  ],
  ["ignores in code", "eslint.config.js", FLAT, flat("  {\n", '  { ignores: ["src/**"] },\n  {\n')],
  ["a return in code", "eslint.config.js", FLAT, flat("export", "process.exit(0);\nexport")],
  ["another export", "eslint.config.js", FLAT, flat("export default [", "export default []; const old = [")],
  ["files of an existing object", "eslint.config.js", FLAT, flat("    rules", '    files: ["none"],\n    rules')],
  ["a second rules", "eslint.config.js", FLAT, flat("    },\n  },", "    },\n    rules: {\n    },\n  },")],
  ["a plugin of its own folder", "eslint.config.js", FLAT, flat("export", 'import n from "./plugin.js";\nexport')],
  ["an ignored code of ruff", "ruff.toml", RUFF, RUFF.replace('"E501"', '"E501", "F401"')],
  ["fewer rules of ruff", "ruff.toml", RUFF, RUFF.replace(', "F"', "")],
  ["files of ruff ignored", "ruff.toml", RUFF, `${RUFF}[lint.per-file-ignores]\n"a.py" = ["F"]\n`],
  [
    "mypy ignores errors",
    "mypy.ini",
    "[mypy]\nstrict = True\n",
    "[mypy]\nstrict = True\n[mypy-app.*]\nignore_errors = True\n",
  ],
  ["pytest deselects", "pytest.ini", "[pytest]\naddopts = -q\n", "[pytest]\naddopts = -q --deselect a\n"],
  [
    "a lower threshold",
    "package.json#jest",
    json({ coverageThreshold: { global: { lines: 80 } } }),
    json({ coverageThreshold: { global: { lines: 8 } } }),
  ],
  ["a pattern of jest", "package.json#jest", json({}), json({ testPathIgnorePatterns: ["x"] })],
  ["ignores on one line", "eslint.config.js", "export default [];", 'export default [{ ignores: ["**"] }];'],
  [
    "a rule off on one line",
    ".eslintrc.cjs",
    'module.exports = { rules: { a: "warn" } };',
    'module.exports = { rules: { a: "off" } };',
  ],
  ["a first selection of ruff", "pyproject.toml#tool.ruff", "[tool.ruff]\n", '[tool.ruff]\nselect = ["I"]\n'],
  ["a first line length", ".flake8", "[flake8]\n", "[flake8]\nmax-line-length = 500\n"],
  ["another shell of npm", ".npmrc", "audit=false\n", "script-shell=/bin/true\n"],
  ["another shell of pnpm", "pnpm-workspace.yaml", "packages: [a]\n", "packages: [a]\nscriptShell: /bin/true\n"],
  ["another runner of cargo", ".cargo/config.toml", "[build]\n", '[build]\nrustc-wrapper = "x"\n'],
  ["an allowed lint", "Cargo.toml#lints", "", '[lints.rust]\nwarnings = "allow"\n'],
  ["assertions off", "Cargo.toml#profile", "", "[profile.test]\ndebug-assertions = false\n"],
  ["a specifier redirected", "deno.json", json({ imports: {} }), json({ imports: { "jsr:@std/assert": "./fake.ts" } })],
  ["files left out of coverage", "pyproject.toml#tool.coverage", "", '[tool.coverage.run]\nomit = ["*"]\n'],
  ["a variable of the runner", ".env", "", "NODE_OPTIONS=--import ./x.mjs\n"],
])("%s is weaker", (_name, path, before, after) => expect(weakenings(path, before, after)).not.toEqual([]));

test.each([
  ["vitest.config.ts", "a", "b"],
  ["vitest.config.ts", "export default { test: {} };", "export default { test: { a: 1 } };"],
  [".npmrc", null, "script-shell=/bin/true\n"],
  ["tsconfig.json", null, "{}"],
  ["tsconfig.json", "{}", null],
  ["tsconfig.json", "{}", "{"],
])("the effect of %s is unknown: %s, %s", (path, before, after) => expect(weakenings(path, before, after)).toBeNull());

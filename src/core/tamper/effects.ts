import { weakenedLintCode } from "./lint-code.ts";
import { readJsonc, readSections } from "./settings-text.ts";
import { type Meanings, weakenedSettings } from "./stricter.ts";

const STRICT_FLAGS =
  "strict noImplicitAny strictNullChecks strictFunctionTypes strictBindCallApply strictPropertyInitialization strictBuiltinIteratorReturn noImplicitThis useUnknownInCatchVariables alwaysStrict noUnusedLocals noUnusedParameters exactOptionalPropertyTypes noImplicitReturns noFallthroughCasesInSwitch noUncheckedIndexedAccess noImplicitOverride noPropertyAccessFromIndexSignature noUncheckedSideEffectImports checkJs forceConsistentCasingInFileNames isolatedModules isolatedDeclarations verbatimModuleSyntax erasableSyntaxOnly noEmitOnError";
const LAX_FLAGS = "skipLibCheck skipDefaultLibCheck allowUnreachableCode allowUnusedLabels noCheck noResolve";
const OUTPUT_FLAGS =
  "declaration declarationMap sourceMap inlineSources inlineSourceMap removeComments incremental tsBuildInfoFile newLine pretty stripInternal preserveWatchOutput plugins";
const options = (names: string) => new RegExp(`^compilerOptions\\.(?:${names.replaceAll(" ", "|")})(?:\\.|$)`);

const COMPILER: Meanings = [
  [options(STRICT_FLAGS), "rise"],
  [options(LAX_FLAGS), "fall"],
  [options(OUTPUT_FLAGS), "none"],
  // An alias with a mark of its own cannot be the name of a package.
  [/^compilerOptions\.paths\.(?:[@~]\/|[#$])/, "added"],
  [/^compilerOptions\.paths$/, "fixed"],
  [/^compilerOptions\.(?:lib|types)$|^include$|^files$/, "cover"],
  [/^exclude$/, "fall"],
  [/^references$/, "rise"],
  [/^(?:\$schema|display)$/, "none"],
  [/^(?:compilerOptions)?$/, "fixed"],
];

const lint = (severity: "severity" | "lone severity"): Meanings => [
  [/(?:^|\.)rules\.(?:.*\.)?(?:recommended|all)$/, "rise"],
  [/(?:^|\.)(?:rules|categories)\./, severity],
  [/(?:^|\.)overrides\.\d+\.(?:files|includes?)$/, "added"],
  [/(?:^|\.)(?:ignore|ignores|ignorePatterns|excludedFiles|experimentalScannerIgnores)$/, "fall"],
  [/(?:^|\.)includes?$/, "cover"],
  [/(?:^|\.)(?:plugins|enabled|noWarnOnMultipleProjects|reportUnusedDisableDirectives|noInlineConfig)$/, "rise"],
  [/^(?:\$schema|root)$/, "none"],
];

/** Linters and type checkers of Python, and coverage. */
const SECTIONS: Meanings = [
  [/\.(?:markers|show_\w+|output-format|show-\w+)$/, "none"],
  [
    /\.(?:(?:extend-)?select|strict\w*|xfail_strict|warn_\w+|disallow_\w+|check_\w+|no_implicit\w*|enable\w*|fail[_-]under|load-plugins|plugins|branch)$/,
    "rise",
  ],
  [/ignore|exclude|disable|omit|skip|allow|\.max-[\w-]+$|\.line-length$/, "fall"],
];

const RUNNER: Meanings = [
  [/(?:coverageThreshold|thresholds?)\.|^(?:check-coverage|branches|lines|functions|statements|all|per-file)$/, "rise"],
  [/^(?:verbose|displayName|\$schema)$/, "none"],
];

type Effect = (before: string, after: string) => string[] | null;

const json =
  (meanings: Meanings | ((before: string) => Meanings)): Effect =>
  (before, after) => {
    const [was, is] = [readJsonc(before), readJsonc(after)];
    if (was === undefined || is === undefined) return null;
    return weakenedSettings(was, is, typeof meanings === "function" ? meanings(before) : meanings);
  };

const lintJson = json((before) => lint(/"(?:extends|recommended|all)"/.test(before) ? "severity" : "lone severity"));
const sections: Effect = (before, after) => weakenedSettings(readSections(before), readSections(after), SECTIONS);

/** Names of variables that runtimes and runners read. */
const DECIDING_NAMES =
  /^(?:NODE_|PATH$|PYTHON|PYTEST|VITEST|JEST|BUN_|DENO_|GO|RUST|CARGO|LD_|CI$|NPM_|npm_|SHELL$)|TEST|SKIP|ONLY|MOCK/;
const variables: Effect = (before, after) => {
  const known = new Set(before.split(/\r?\n/));
  const added = after.split(/\r?\n/).filter((line) => !known.has(line));
  return added.flatMap((line) => {
    const name = /^\s*(?:export\s+)?([\w.]+)\s*=/.exec(line)?.[1] ?? "";
    return DECIDING_NAMES.test(name) ? [`sets ${name}`] : [];
  });
};

/** One line per kind of file or value: what may change in it. */
const EFFECTS: readonly (readonly [name: RegExp, effect: Effect, mayBeAdded?: true])[] = [
  [/(?:^|\/)[jt]sconfig[^/]*\.json$/, json(COMPILER)],
  [/(?:^|\/)(?:\.?biome\.jsonc?|\.oxlintrc\.json|\.eslintrc(?:\.json)?)$|#eslintConfig$/, lintJson],
  [/(?:^|\/)(?:eslint\.config\.\w+|\.eslintrc\.(?:c?js|ya?ml))$/, weakenedLintCode],
  [
    /(?:^|\/)\.?(?:ruff\.toml|mypy\.ini|flake8|pylintrc|coveragerc|pytest\.ini)$|\.(?:toml|cfg|ini)#(?!tests )/,
    sections,
  ],
  [/(?:^|\/)(?:\.nycrc|\.c8rc)(?:\.json)?$|\/?jest\.config\.json$|#(?:jest|vitest|nyc|c8|mocha|ava)$/, json(RUNNER)],
  [/(?:^|\/)\.(?:env(?:\.[\w.]+)?|flaskenv)$/, variables, true],
];

/** Whether a file is compared by its effect, so that it must not be restored for a check. */
export const hasEffect = (name: string): boolean => EFFECTS.some(([form]) => form.test(name));

/** Which settings a change made weaker, in words; null if its effect is not known, so that any change counts. */
export function weakenings(name: string, before: string | null, after: string | null): string[] | null {
  const [, effect, mayBeAdded] = EFFECTS.find(([form]) => form.test(name)) ?? [];
  if (!effect || after === null || (before === null && !mayBeAdded)) return null;
  return effect(before ?? "", after);
}

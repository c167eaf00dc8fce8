import { isSameCode } from "./code-lines.ts";
import { weakenedLintCode } from "./lint-code.ts";
import { readJsonc, readSections } from "./settings-text.ts";
import { type Meanings, weakenedSettings } from "./stricter.ts";

const STRICT_FLAGS =
  "strict noImplicitAny strictNullChecks strictFunctionTypes strictBindCallApply strictPropertyInitialization strictBuiltinIteratorReturn noImplicitThis useUnknownInCatchVariables alwaysStrict noUnusedLocals noUnusedParameters exactOptionalPropertyTypes noImplicitReturns noFallthroughCasesInSwitch noUncheckedIndexedAccess noImplicitOverride noPropertyAccessFromIndexSignature noUncheckedSideEffectImports checkJs forceConsistentCasingInFileNames isolatedModules isolatedDeclarations verbatimModuleSyntax erasableSyntaxOnly noEmitOnError";
const LAX_FLAGS = "skipLibCheck skipDefaultLibCheck allowUnreachableCode allowUnusedLabels noCheck noResolve";
const OUTPUT_FLAGS =
  "declaration declarationMap sourceMap inlineSources inlineSourceMap removeComments incremental tsBuildInfoFile newLine pretty stripInternal preserveWatchOutput plugins lib rootDir";
const FEATURE_FLAGS =
  "jsx jsxImportSource jsxFactory jsxFragmentFactory resolveJsonModule esModuleInterop allowSyntheticDefaultImports allowImportingTsExtensions rewriteRelativeImportExtensions experimentalDecorators emitDecoratorMetadata useDefineForClassFields downlevelIteration importHelpers";
const options = (names: string) => new RegExp(`^compilerOptions\\.(?:${names.replaceAll(" ", "|")})(?:\\.|$)`);

const COMPILER: Meanings = [
  [options(STRICT_FLAGS), "rise"],
  [options(LAX_FLAGS), "fall"],
  [options(OUTPUT_FLAGS), "none"],
  [options(FEATURE_FLAGS), "added"],
  // An alias with a mark of its own cannot be the name of a package.
  [/^compilerOptions\.paths\.(?:[@~]\/|[#$])/, "added"],
  [/^compilerOptions\.paths$/, "fixed"],
  [/^compilerOptions\.types$/, "rise"],
  [/^include$|^files$/, "cover"],
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
  // Without it, a linter has a selection of its own.
  [/\.select$/, "cover"],
  [
    /\.(?:extend-select|strict\w*|xfail_strict|warn_\w+|disallow_\w+|check_\w+|no_implicit\w*|enable\w*|fail[_-]under|load-plugins|plugins|branch)$/,
    "rise",
  ],
  [/ignore|exclude|disable|omit|skip|allow|\.max-(?!line)[\w-]+$/, "fall"],
  [/\.(?:max-)?line-length$/, "limit"],
];

const RUNNER: Meanings = [
  [/(?:coverageThreshold|thresholds?)\.|^(?:check-coverage|branches|lines|functions|statements|all|per-file)$/, "rise"],
  [/^(?:verbose|displayName|\$schema)$/, "none"],
];

const CARGO: Meanings = [
  [/^alias\./, "added"],
  [/^(?:net|registr(?:y|ies)|source|http|term|cargo-new|future-incompat-report|install)\b/, "none"],
];
const PROFILES: Meanings = [
  [/\.(?:debug-assertions|overflow-checks)$/, "rise"],
  [/^profile\.[^.]+\../, "none"],
];
/** An import of another name can replace none. */
const DENO: Meanings = [
  [/^tasks\./, "added"],
  [/^imports\.[^:]*$/, "added"],
  [/^(?:name|version|exports|license|lock|nodeModulesDir|publish|\$schema)\b/, "none"],
];
const TASKS: Meanings = [
  [/^(?:tasks|pipeline)\.[^.]+$/, "added"],
  [/^(?:\$schema|ui)$/, "none"],
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
const toml =
  (meanings: Meanings): Effect =>
  (before, after) =>
    weakenedSettings(readSections(before), readSections(after), meanings);
const sections = toml(SECTIONS);

/** Names of variables that runtimes and runners read. */
const DECIDING_NAMES =
  /^(?:NODE_(?!ENV$)|PATH$|PYTHON|PYTEST|VITEST|JEST|BUN_|DENO_|GO|RUST|CARGO|LD_|CI$|NPM_|npm_|SHELL$)|TEST|SKIP|ONLY|MOCK/;
const setsVariable = (line: string): string | null => {
  const name = /^\s*(?:export\s+)?([\w.]+)\s*=/.exec(line)?.[1] ?? "";
  return DECIDING_NAMES.test(name) ? `sets ${name}` : null;
};

/** Settings of package managers by which they only find and store packages, or print. */
const NPMRC =
  /^(?:save-\w+|audit\w*|fund|loglevel|progress|color|engine-strict|package-lock|legacy-peer-deps|(?:strict|auto-install)-peer-\w+|access|tag|init[.-][\w.-]+|update-notifier|registry|@[\w-]+:registry|\/\/\S+:\w+)\s*=/;
const YARNRC =
  /^(?:nodeLinker|enable\w+|nmMode|nmHoistingLimits|compressionLevel|npm\w+|cacheFolder|defaultSemverRangePrefix)\s*:/;
const PNPM_WORKSPACE =
  /^(?:packages|catalogs?|onlyBuiltDependencies|ignoredBuiltDependencies|minimumReleaseAge\w*|sharedWorkspaceLockfile|linkWorkspacePackages|savePrefix)\s*:|^[\s-]+\S/;
/** Lines that were added, or removed, and matter. */
const linesWith =
  (matters: (line: string) => string | null): Effect =>
  (before, after) => {
    const [was, is] = [before, after].map((text) => new Set(text.split(/\r?\n/))) as [Set<string>, Set<string>];
    const removed = [...was].filter((line) => !is.has(line)).flatMap((line) => matters(line) ?? []);
    return [
      ...[...is].filter((line) => !was.has(line)).flatMap((line) => matters(line) ?? []),
      ...removed.map((text) => text.replace(/^(?:sets|with)/, "without")),
    ];
  };

/** A new file counts as a whole, unless all of it is harmless. */
const unlessHarmless =
  (harmless: RegExp): Effect =>
  (before, after) => {
    const isHarmless = (line: string) => harmless.test(line) || /^\s*(?:[#;].*)?$/.test(line);
    const found = linesWith((line) => (isHarmless(line) ? null : `with ${line.trim()}`))(before, after) ?? [];
    return before === "" && found.length > 0 ? null : found;
  };

/** One line per kind of file or value: what may change in it. */
const EFFECTS: readonly (readonly [name: RegExp, effect: Effect, mayBeAdded?: true])[] = [
  [/(?:^|\/)[jt]sconfig[^/]*\.json$/, json(COMPILER)],
  [/(?:^|\/)(?:\.?biome\.jsonc?|\.oxlintrc\.json|\.eslintrc(?:\.json)?)$|#eslintConfig$/, lintJson],
  [/(?:^|\/)\.eslintrc\.ya?ml$/, (before, after) => weakenedLintCode(before, after, true)],
  [/(?:^|\/)(?:eslint\.config\.\w+|\.eslintrc\.c?js)$/, (before, after) => weakenedLintCode(before, after)],
  [/(?:^|\/)Cargo\.toml#(?:workspace\.)?lints$/, toml([[/./, "lone severity"]]), true],
  [/(?:^|\/)Cargo\.toml#profile$/, toml(PROFILES), true],
  [/(?:^|\/)pyproject\.toml#tool\.(?:coverage|ruff)$/, sections, true],
  [
    /(?:^|\/)\.?(?:ruff\.toml|mypy\.ini|flake8|pylintrc|coveragerc|pytest\.ini)$|\.(?:toml|cfg|ini)#(?!tests )/,
    sections,
  ],
  [/(?:^|\/)(?:\.nycrc|\.c8rc)(?:\.json)?$|\/?jest\.config\.json$|#(?:jest|vitest|nyc|c8|mocha|ava)$/, json(RUNNER)],
  [/(?:^|\/)\.(?:env(?:\.[\w.]+)?|flaskenv)$/, linesWith(setsVariable), true],
  [/(?:^|\/)\.npmrc$/, unlessHarmless(NPMRC), true],
  [/(?:^|\/)\.yarnrc\.yml$/, unlessHarmless(YARNRC), true],
  [/(?:^|\/)pnpm-workspace\.yaml$/, unlessHarmless(PNPM_WORKSPACE), true],
  [/(?:^|\/)\.cargo\/config(?:\.toml)?$/, toml(CARGO)],
  [/(?:^|\/)deno\.json$/, json(DENO)],
  [/(?:^|\/)turbo\.json$/, json(TASKS)],
  [
    /\.(?:config|conf|workspace)\.[cm]?[jt]s$|(?:^|\/)\.\w+rc\.[cm]?[jt]s$/,
    (before, after) => (isSameCode(before, after) ? [] : null),
  ],
  [
    /(?:^|\/)(?:\.\w+rc(?:\.json)?|[\w.-]*config[\w.-]*\.json|nx\.json)$/,
    (before, after) => (readJsonc(before) === undefined ? null : json([])(before, after)),
  ],
];

/** Whether a file is compared by its effect, so that it must not be restored for a check. */
export const hasEffect = (name: string): boolean => EFFECTS.some(([form]) => form.test(name));

/** Which settings a change made weaker, in words; null if its effect is not known, so that any change counts. */
export function weakenings(name: string, before: string | null, after: string | null): string[] | null {
  const [, effect, mayBeAdded] = EFFECTS.find(([form]) => form.test(name)) ?? [];
  if (!effect || after === null || (before === null && !mayBeAdded)) return null;
  return effect(before ?? "", after);
}

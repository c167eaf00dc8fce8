import { spelledOut, TOOLS, VITE_CONFIG } from "../tamper/tools.ts";

export type Deciding = "test" | "snapshot" | "fixture" | "helper" | "configuration";

/** The role of a file by its name, by the conventions of common languages; null if it decides nothing. */
export function decidingKind(path: string): Deciding | null {
  if (ABOUT.test(path)) return null;
  const kinds: readonly [Deciding, boolean][] = [
    ["snapshot", matches(SNAPSHOTS, path)],
    ["fixture", matches(FIXTURES, path)],
    ["helper", matches(NAMED_HELPERS, path)],
    ["test", isTest(path)],
    ["configuration", isConfiguration(path)],
    ["snapshot", matches(SNAPSHOTS_OF_TESTS, path)],
    ["fixture", DATA_OF_TESTS.test(path)],
    ["helper", matches(HELPERS, path)],
  ];
  return kinds.find(([, is]) => is)?.[0] ?? null;
}

const ABOUT = /(?:^|\/)(?:README|CHANGELOG|LICENSE)[^/]*$/i;

/** Any Rust file may contain tests, and most contain the work: only files with nothing but tests count. */
const isTest = (path: string): boolean =>
  path.endsWith(".rs") ? RUST_TESTS.test(path) : isTestFile(path) || matches(OTHER_TESTS, path);

const matches = (forms: readonly RegExp[], path: string): boolean => forms.some((form) => form.test(path));

const RUST_TESTS = /(?:^|\/)tests\/.+\.rs$|(?:^|[/_])tests?\.rs$/;

const OTHER_TESTS: readonly RegExp[] = [
  /\.(?:test|spec)\.(?:vue|svelte|sh|lua|php|dart)$/,
  /_test\.(?:dart|c|cc|cpp|cxx|clj|cljs|lua|erl|ml|nim|zig|php|sh)$/,
  /(?:^|\/)test_[^/]*\.(?:c|cc|cpp|cxx|sh|lua|jl|php)$/,
  /_spec\.(?:lua|cr)$/,
  /\.feature$/,
  /(?:^|\/)t\/.+\.t$/,
  /(?:^|\/)[^/]*Tests?\.(?:fs|vb|m|mm)$/,
];

/** Endings of data, in which tests keep what they read and expect. */
const DATA =
  "(?:json[5lc]?|ya?ml|toml|csv|tsv|xml|html?|svg|css|sql|txt|text|out|log|bin|dat|png|jpe?g|gif|webp|pdf|gz|zip|wav|pb|diff|patch|proto|graphql|har)";
/** A folder of tests, and those below it. Folders called `spec` may contain specifications. */
const IN_TESTS =
  "(?:^|/)(?:(?:(?:integration|functional|unit|acceptance|system|smoke|regression|contract|android|api|ui)[-_]?[Tt]|t)ests?|__tests__|e2e|cypress)/(?:.+/)?";
const EXPECTED = "(?:expect(?:ed|ations?)?|golden|approvals?|baselines?|references?|snapshots?|recordings?)";

const SNAPSHOTS: readonly RegExp[] = [
  /(?:^|\/)__(?:(?:image_)?snapshots|screenshots|recordings|output|expected)__\//i,
  /(?:^|\/)(?:[^/]+\.(?:test|spec)\.\w+-snapshots|tap-snapshots|_snaps)\//,
  /(?:^|\/)(?:tests?|__tests__|specs?)\/(?:.+\/)?snapshots\//,
  /\.snap(?:\.\w+)?$|\.(?:ambr|expected)$/,
  /\.(?:snapshot|golden|approved)(?:\.\w+)?$/,
  /(?:^|\/)golden(?:s|[-_]?files)?\//,
  new RegExp(String.raw`\.expected\.${DATA}$|\w\.\w+\.verified\.${DATA}$`),
  new RegExp(String.raw`(?:^|/)expected(?:[-_.]?(?:outputs?|results?|stdout|stderr|values?))?\.${DATA}$`),
  new RegExp(String.raw`(?:^|/)expected/(?:.+/)?[^/]+\.${DATA}$`),
];

const SNAPSHOTS_OF_TESTS: readonly RegExp[] = [
  new RegExp(`${IN_TESTS}${EXPECTED}(?:/|$)`),
  new RegExp(String.raw`${IN_TESTS}(?:[^/]*[-_.])?${EXPECTED}(?:[-_.][^/]*)?\.${DATA}$`),
  // Pairs such as `1.in` and `1.out`.
  new RegExp(String.raw`${IN_TESTS}[^/]+\.(?:out|stdout|stderr|output|ans|exp|ref|good)$`),
];

/** Whether a snapshot has the name of a test file, as in `__snapshots__/a.test.js.snap` and `a.spec.ts-snapshots/b.png`. */
export function isNamedAfter(snapshot: string, test: string): boolean {
  const at = test.lastIndexOf("/") + 1;
  const name = test.slice(at).replace(/\.py$/, "");
  if (!snapshot.startsWith(test.slice(0, at))) return false;
  const parts = snapshot.slice(at).split("/");
  return parts.some((part) => part === name || part.startsWith(`${name}.`) || part.startsWith(`${name}-`));
}

const FIXTURES: readonly RegExp[] = [
  /(?:^|\/)(?:__fixtures__|__mocks__|fixtures?|mocks|test[-_]?(?:data|fixtures|files|resources)|(?:vcr_)?cassettes)\//i,
];
const DATA_OF_TESTS = new RegExp(String.raw`${IN_TESTS}[^/]+\.${DATA}$`);

const CODE = "(?:[cm]?[jt]sx?|py|rb|go|rs|java|kts?|scala|groovy|swift|dart|php|cs|exs?|lua|sh|c|h|cc|cpp|hpp)";
/** Helpers whose names or folders look like those of tests. */
const NAMED_HELPERS: readonly RegExp[] = [
  /(?:^|\/)(?:tests?|vitest|jest|mocha|spec|rails)[-_.](?:setup|helpers?|utils?|support)\.\w+$/,
  /(?:^|\/)(?:setup[-_]?tests?|conftest)\.\w+$/i,
  /(?:^|\/)(?:helpers?|utils?|common|setup|fixtures?|mocks?)_test\.go$/,
  /(?:^|\/)tests\/(?:common|support|utils?|helpers?)(?:\/.+)?\.rs$/,
  /(?:^|\/)(?:(?:Abstract|Base)\w*Tests?|\w*Test(?:Utils?|Helpers?|Base|Support|Data|Fixtures?))\.(?:java|kt|scala|groovy|cs|php|swift)$/,
  /(?:^|\/)TestCase\.php$/,
  new RegExp(
    String.raw`(?:^|/)(?:tests?|__tests__|e2e)/(?:helpers?|utils?|setup|support|common|fixtures?|mocks?|stubs?|global[-_]?setup)(?:[-_.](?!test|spec)[^/]*)?\.${CODE}$`,
    "i",
  ),
];
const HELPERS: readonly RegExp[] = [
  new RegExp(String.raw`(?:^|/)test[-_]?(?:utils?|helpers?|support|kit)/.+\.${CODE}$`),
  new RegExp(String.raw`(?:^|/)features/(?:support|steps|step_definitions)/.+\.${CODE}$`),
  // Projects of .NET and Swift.
  /(?:^|\/)(?:[\w.]+\.)?(?:Unit|Integration)?Tests\/.+\.(?:cs|fs|vb|swift)$/,
  new RegExp(String.raw`${IN_TESTS}[^/]+\.${CODE}$`),
  /(?:^|\/)specs?\/.+\.(?:rb|[cm]?[jt]sx?|py)$/,
];

const CONFIGURATION = new Set(
  [...Object.values(TOOLS).flatMap(({ files = [] }) => files), VITE_CONFIG].flatMap(spelledOut),
);

const isConfiguration = (path: string): boolean => {
  const [last = "", above = "", top = ""] = path.split("/").reverse();
  return [last, `${above}/${last}`, `${top}/${above}/${last}`].some((name) => CONFIGURATION.has(name));
};

/** Shared by tests: it may change where tests may change. */
export const isShared = (path: string): boolean => /(?:^|\/)conftest\.py$/.test(path);

/** Whether a file is a test by its name, by the conventions of common languages. */
export const isTestFile = (path: string): boolean => BY_NAME.some((form) => form.test(path));

const BY_NAME: readonly RegExp[] = [
  /\.(?:test|spec|cy|e2e)\.[cm]?[jt]sx?$/,
  /(?:^|\/)__tests__\/.+\.[cm]?[jt]sx?$/,
  /(?:^|\/)(?:tests?|specs?)\/(?:.+\/)?(?:[\w.-]*[-_.])?(?:test|tests|spec)(?:[-_.][\w.-]*)?\.[cm]?[jt]sx?$/,
  /(?:^|\/)test\/[\w.-]+\.[cm]?js$/,
  /(?:^|\/)(?:test_[^/]*|[^/]*_test|tests|conftest)\.py$/,
  /_test\.(?:go|rb|exs|ts|js)$/,
  /\.rs$/,
  /(?:^|\/)(?:Test[A-Z]\w*|\w+(?:Test|Tests|IT|Spec|TestCase))\.(?:java|kt|kts|scala|groovy|cs|php|swift)$/,
  /(?:^|\/)test_[^/]*\.rb$/,
  /_spec\.rb$/,
  /\.bats$/,
];

/** Folders with generated or installed files, in which no test is watched. */
export const NO_SOURCES: ReadonlySet<string> = new Set(
  ".git node_modules vendor dist build out target coverage .next .nuxt .venv venv env __pycache__ .tox .nox .cache .ralph site-packages third_party Pods .gradle .idea .turbo bower_components".split(
    " ",
  ),
);

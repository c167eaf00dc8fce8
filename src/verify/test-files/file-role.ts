import { spelledOut, TOOLS, VITE_CONFIG } from "../tamper/tools.ts";

export type Deciding = "test" | "snapshot" | "fixture" | "helper" | "configuration";

/** The role of a file by its name, by the conventions of common languages; null if it decides nothing. */
export function decidingKind(path: string): Deciding | null {
  if (matches(SNAPSHOTS, path)) return "snapshot";
  if (matches(FIXTURES, path)) return "fixture";
  if (isTest(path)) return "test";
  if (isConfiguration(path)) return "configuration";
  return matches(HELPERS, path) ? "helper" : null;
}

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

const SNAPSHOTS: readonly RegExp[] = [
  /(?:^|\/)__(?:image_)?snapshots__\//,
  /(?:^|\/)(?:tests?|__tests__|specs?)\/(?:.+\/)?snapshots\//,
  /\.snap(?:\.new)?$|\.ambr$/,
  /\.(?:snapshot|golden|approved)(?:\.\w+)?$/,
  /(?:^|\/)golden(?:s|[-_]?files)?\//,
];

const FIXTURES: readonly RegExp[] = [/(?:^|\/)(?:__fixtures__|__mocks__|fixtures?|testdata|test[-_]data|cassettes)\//];

const CODE_OR_DATA = "(?:[cm]?[jt]sx?|py|rb|go|rs|java|kts?|scala|php|cs|ex|exs|lua|sh|json|ya?ml|toml|csv|txt|sql)";
const HELPERS: readonly RegExp[] = [
  new RegExp(`(?:^|/)(?:tests?|__tests__|e2e|cypress)/.+\\.${CODE_OR_DATA}$`),
  /(?:^|\/)specs?\/.+\.(?:rb|[cm]?[jt]sx?|py)$/,
  /(?:^|\/)(?:tests?|vitest|jest|mocha|spec)[-_.](?:setup|helpers?|utils?)\.\w+$/,
  /(?:^|\/)setup[-_]?tests?\.\w+$/i,
];

const CONFIGURATION = new Set(
  [...Object.values(TOOLS).flatMap(({ files = [] }) => files), VITE_CONFIG].flatMap(spelledOut),
);

const isConfiguration = (path: string): boolean => {
  const [last = "", above = "", top = ""] = path.split("/").reverse();
  return [last, `${above}/${last}`, `${top}/${above}/${last}`].some((name) => CONFIGURATION.has(name));
};

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

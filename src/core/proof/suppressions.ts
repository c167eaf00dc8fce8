import { SYNTAX } from "../source/mask.ts";

/** A way to make a tool ignore its findings. The sources of `words` are valid as POSIX extended expressions, too. */
export interface SuppressionForm {
  /** Null if the words name it. */
  tool: string | null;
  /** In comments: what the comment, one of its lines, or the part after another comment mark starts with. */
  words?: string;
  /** What every line with the words contains; the words, if it is left out. Searched everywhere, so it must be fast. */
  hint?: string;
  /** Whether the words count anywhere in a comment. */
  anywhere?: true;
  /** In code, without comments and the content of strings. */
  code?: { name: string; form: RegExp; hint: string };
  /** How much it hides: 3 for a block or file, 1 for a line or declaration, and one more for every finding there. */
  rank: number;
  /** What follows if it hides only named findings; without it, it hides all of them. */
  named?: RegExp;
}

const NAMED = /^\s+(?!--|all\b)[\w@"']/;
const form = (
  tool: string | null,
  rank: number,
  words: string,
  more: Partial<SuppressionForm> = {},
): SuppressionForm => ({
  tool,
  rank,
  words,
  ...more,
});
const code = (tool: string, rank: number, name: string, form: RegExp, hint: string): SuppressionForm => ({
  tool,
  rank,
  code: { name, form, hint },
});

/** A tool's name, and after a colon, a hyphen or both what it must not do: `sqlfluff:disable`, `zlint-ignore-file`. */
const TOOL = "[@A-Za-z][A-Za-z0-9_.]*([-:][A-Za-z0-9_.]+)*";
const VERB = "(ignore|disable|suppress|skip)";
/** The tool that a directive is for. */
export const toolIn = (directive: string): string => directive.split(new RegExp(`[-:]${VERB}`))[0] ?? "";

const ANY_LANGUAGE = [
  form("scanner", 1, "NOSONAR|nosemgrep|(lgtm|codeql|coverity) *\\[[A-Za-z0-9_/, -]+\\]", { anywhere: true }),
  form("coverage", 1, "(LCOV|GCOV|GCOVR|COV)_EXCL_(BR_)?(LINE|START)", { anywhere: true }),
  form("stryker", 3, "Stryker +disable"),
  form("inspection", 1, "@?noinspection"),
  form(null, 3, `${TOOL}[-:]${VERB}[-_](file|all|start|begin|block)`, { hint: `[-:]${VERB}` }),
  form(null, 1, `${TOOL}[-:]${VERB}-(next|line|this|previous|current|once)[a-z-]*`, { hint: `[-:]${VERB}` }),
  form(null, 1, `${TOOL}:${VERB}`, { hint: `[-:]${VERB}` }),
];

const CSS = [
  form("format", 1, "prettier-ignore"),
  form("stylelint", 3, "stylelint-disable"),
  form("stylelint", 1, "stylelint-disable-(next-)?line"),
];

const SCRIPT = [
  form("typescript", 4, "@ts-nocheck"),
  form("typescript", 2, "@ts-ignore"),
  form("typescript", 1, "@ts-expect-error"),
  form("vue", 4, "@vue-(nocheck|skip)"),
  form("vue", 2, "@vue-ignore"),
  form("vue", 1, "@vue-expect-error"),
  form("flow", 4, "@noflow"),
  form("flow", 2, "[$]Flow(FixMe|Ignore|Issue)"),
  form("flow", 1, "[$]FlowExpectedError"),
  form("eslint", 3, "eslint-disable", { named: NAMED }),
  form("eslint", 1, "eslint-disable-(next-)?line", { named: NAMED }),
  form("eslint", 3, "eslint +[^ *][^*]*: *\\[?[\"']?(off|0)", { hint: "eslint +[^ *]" }),
  form("biome", 3, "biome-ignore-(all|start)"),
  form("biome", 1, "(biome|rome)-ignore"),
  form("format", 1, "(dprint|deno-fmt)-ignore"),
  form("unused", 1, "(knip|ts-prune)-?ignore"),
  form("oxlint", 3, "oxlint-disable", { named: NAMED }),
  form("oxlint", 1, "oxlint-disable-(next-)?line", { named: NAMED }),
  form("tslint", 3, "tslint:disable"),
  form("tslint", 1, "tslint:disable-(next-)?line"),
  form("jshint", 3, "jshint +ignore|jscs:disable|jslint-disable"),
  form("deno", 3, "deno-lint-ignore-file"),
  form("deno", 1, "deno-lint-ignore"),
  form("linter", 1, "lint-(ignore|disable)(-next-line|-line)?"),
  form("svelte", 1, "svelte-ignore"),
  form("htmlhint", 3, "htmlhint-disable|html-validate-disable"),
  form(
    "coverage",
    3,
    "(istanbul|c8|v8) +ignore +(file|start)|node:coverage +disable|deno-coverage-ignore-(file|start)",
  ),
  form("coverage", 1, "(istanbul|c8|v8) +ignore +(next|if|else|line)|node:coverage +ignore|deno-coverage-ignore"),
  ...CSS,
];

const NOQA = "[nN][oO][qQ][aA]";
const PYTHON = [
  form("noqa", 3, `(flake8|ruff) *: *${NOQA}|ruff *: *disable`, { named: /^\s*[:=[]/ }),
  form("noqa", 1, `${NOQA}|ruff *: *ignore`, { named: /^\s*[:[]/ }),
  form("mypy", 3, "mypy: *(ignore-errors|disable-error-code|allow-[a-z-]+)"),
  form("mypy", 1, "type: *ignore", { named: /^\s*\[/ }),
  form("pyright", 3, 'pyright: *(basic|off|report[A-Za-z]+ *= *"?([fF]alse|none))'),
  form("pyright", 1, "(pyright|basedpyright|pyrefly|ty): *ignore", { named: /^\s*\[/ }),
  form("pyre", 3, "pyre-(ignore-all-errors|unsafe)"),
  form("pyre", 1, "pyre-(ignore|fixme)"),
  form("pylint", 4, "pylint: *(skip-file|disable-all)|pytype: *(skip-file|disable)"),
  form("pylint", 1, "pylint: *disable(-next)?", { anywhere: true, named: /^\s*=\s*(?!all\b)/ }),
  form("format", 3, "(fmt|isort|autopep8): *off|isort: *skip_file|yapf: *disable"),
  form("format", 1, "(fmt|isort): *skip"),
  form("coverage", 1, "[pP][rR][aA][gG][mM][aA]:? *[nN][oO] *([cC][oO][vV][eE][rR]|[bB][rR][aA][nN][cC][hH])"),
  form("bandit", 1, "[nN][oO][sS][eE][cC]", { named: /^\s*:?\s*B\d/ }),
  code("typing", 2, "@no_type_check", /@(?:typing\.|t\.)?no_type_check(?:_decorator)?\b/g, "no_type_check"),
];

const IN_ATTRIBUTE = String.raw`\[\s*(?:cfg_attr\s*\([^\]]*,\s*)?`;
const attribute = (start: string, name: string) => new RegExp(`${start}\\s*${IN_ATTRIBUTE}${name}`, "g");
const RUST = [
  code("rustc", 3, "#![allow]", attribute("#!", String.raw`allow\s*\(`), "allow *[(]"),
  code("rustc", 2, "#[allow]", attribute("#", String.raw`allow\s*\(`), "allow *[(]"),
  code("rustc", 3, "#![expect]", attribute("#!", String.raw`expect\s*\(`), "expect *[(]"),
  code("rustc", 1, "#[expect]", attribute("#", String.raw`expect\s*\(`), "expect *[(]"),
  code("coverage", 1, "#[coverage(off)]", attribute("#!?", String.raw`coverage\s*\(\s*off\b`), "coverage *[(]"),
  code(
    "coverage",
    1,
    "#[cfg(not(tarpaulin))]",
    attribute("#!?", String.raw`cfg\s*\(\s*not\s*\(\s*tarpaulin`),
    "tarpaulin",
  ),
  code(
    "coverage",
    1,
    "#[skip]",
    attribute("#!?", String.raw`(?:no_coverage|(?:tarpaulin|mutants|rustfmt)::skip)\b`),
    "no_coverage|::skip",
  ),
];

const GO = [
  form("nolint", 1, "nolint", { named: /^:(?!all\b)/ }),
  form("staticcheck", 3, "lint:file-ignore"),
  form("gosec", 1, "nosec", { named: /^\s*G\d/ }),
  form("revive", 3, "revive:disable"),
  form("revive", 1, "revive:disable-(next-)?line"),
];

const JVM = [
  code("compiler", 3, "@file:Suppress", /@file:\s*\[?\s*Suppress\b/g, "Suppress"),
  code("compiler", 1, "@Suppress", /@(?:\w+\.)*Suppress(?:Lint)?\b(?=\s*\()/g, "Suppress"),
  code("compiler", 1, "@SuppressWarnings", /@(?:\w+\.)*Suppress(?:(?:FB)?Warnings|Forbidden)\b/g, "Suppress"),
  code("compiler", 1, "@nowarn", /@(?:nowarn|silent)\b/g, "@(nowarn|silent)"),
  code("coverage", 1, "@ExcludeFrom…", /@(?:\w+\.)*ExcludeFrom\w*(?:Report|Coverage)\b/g, "ExcludeFrom"),
  form(
    "linter",
    3,
    "(CHECKSTYLE|checkstyle)[.:] *(OFF|off)|CSOFF|ktlint-disable|codenarc-disable|scala(style|fix):off",
  ),
  form("linter", 1, "SUPPRESS CHECKSTYLE|scalafix:ok"),
  form("linter", 1, "NOPMD|CPD-OFF", { anywhere: true }),
  form("coverage", 3, "[$]COVERAGE-OFF[$]"),
];

const DOTNET = [
  code("compiler", 3, "#pragma warning disable", /^\s*#\s*pragma\s+warning\s+disable\b/gm, "pragma +warning"),
  code("compiler", 3, "#nowarn", /^\s*#\s*(?:nowarn|Disable\s+Warning)\b/gm, "# *(nowarn|Disable +Warning)"),
  code("compiler", 3, "#nullable disable", /^\s*#\s*nullable\s+disable\b/gm, "nullable +disable"),
  code(
    "compiler",
    1,
    "[SuppressMessage]",
    /[[,]\s*(?:\w+:\s*)?(?:\w+\.)*(?:Unconditional)?SuppressMessage(?:Attribute)?\b/g,
    "SuppressMessage",
  ),
  code(
    "coverage",
    1,
    "[ExcludeFromCodeCoverage]",
    /[[,]\s*(?:\w+:\s*)?(?:\w+\.)*ExcludeFromCodeCoverage\b/g,
    "ExcludeFromCodeCoverage",
  ),
  form("resharper", 1, "ReSharper +disable"),
];

const PRAGMA =
  /^\s*#\s*pragma\s+(?:(?:GCC|clang)\s+(?:diagnostic\s+ignored|system_header)|warning\s*\(\s*(?:disable|suppress|push\s*,\s*0))/gm;
const C = [
  code("compiler", 3, "#pragma", PRAGMA, "diagnostic +ignored|system_header|pragma +warning"),
  code("compiler", 1, "no_sanitize", /\bno_sanitize(?:_\w+)?\b/g, "no_sanitize"),
  code("compiler", 1, "[[gsl::suppress]]", /\[\[\s*gsl::suppress\b/g, "gsl::suppress"),
  form("clang-tidy", 3, "NOLINTBEGIN", { anywhere: true, named: /^\s*\(/ }),
  form("clang-tidy", 1, "NOLINT(NEXTLINE)?", { anywhere: true, named: /^\s*\(/ }),
  form("cppcheck", 1, "cppcheck-suppress"),
];

const RUBY = [
  form("rubocop", 1, "(rubocop|standard) *: *(disable|todo)", { named: /^\s+(?!all\b)/ }),
  form("coverage", 1, ":nocov:"),
  form("reek", 1, ":?reek:[A-Za-z]+"),
  form("sorbet", 3, "typed: *(false|ignore)|steep:ignore"),
];

const PHP = [
  form("phpcs", 3, "@?phpcs:(ignoreFile|disable)|@codingStandardsIgnore(File|Start)"),
  form("phpcs", 1, "@codingStandardsIgnoreLine"),
  form("phpstan", 1, "@phpstan-ignore(-next)?(-line)?"),
  form("psalm", 1, "@psalm-suppress"),
  form("phan", 1, "@phan-(file-)?suppress(-[a-z-]+)?"),
  form("phpmd", 1, "@SuppressWarnings"),
  form("mago", 1, "@mago-(ignore|expect)"),
  code("coverage", 1, "#[CodeCoverageIgnore]", /#\[\s*\\?(?:\w+\\)*CodeCoverageIgnore\b/g, "CodeCoverageIgnore"),
  form("coverage", 1, "@codeCoverageIgnore(Start)?|@infection-ignore-all"),
];

const OPERATIONS = [
  form("shellcheck", 1, "shellcheck +disable"),
  form("hadolint", 1, "hadolint +(global +)?ignore|check=skip"),
  form("yamllint", 1, "yamllint +disable(-line|-file)?"),
  form("scanner", 1, "tflint-ignore|zizmor: *ignore|kics-scan +ignore"),
  form("noqa", 1, NOQA, { named: /^\s*:/ }),
];

const OTHERS = [form("solhint", 1, "(solhint|slither)-disable"), form("verilator", 3, "verilator +lint_off")];

const DART = [
  form("dart", 3, "ignore_for_file:|coverage:ignore-(file|start)"),
  form("dart", 1, "ignore:|coverage:ignore-line"),
];

const ELIXIR = [
  form("credo", 1, "credo:disable-for-[a-z-]+|coveralls-ignore-(start|next-line)"),
  code("dialyzer", 1, "@dialyzer", /@dialyzer\b/g, "@dialyzer"),
];

const DASHES = [
  form("luacheck", 1, "luacheck: *(ignore|no)|@diagnostic +disable|selene: *allow"),
  form("noqa", 1, NOQA, { named: /^\s*:/ }),
];

const HASKELL = [
  code("compiler", 3, "OPTIONS_GHC -Wno", /\{-#\s*OPTIONS_GHC[^#]*\s-(?:Wno-|fno-warn|w\b)/g, "OPTIONS_GHC"),
  form("hlint", 1, "HLINT +ignore"),
];

/** Languages whose comments start with `#`. */
const HASH = [
  form("lintr", 1, "nolint|nocov"),
  form("perlcritic", 1, "no +critic|uncoverable"),
  form("linter", 1, "(buildifier|gdlint|cmake-lint|robocop|deadnix|coffeelint): *(disable|ignore|skip)"),
];

const TEXTS = [
  form("markdownlint", 3, "markdownlint-disable(-file)?|vale +(off|[A-Za-z.]+ *= *NO)"),
  form("markdownlint", 1, "markdownlint-disable-(next-)?line"),
];

/** By the names of files: their syntax, and the suppressions that their tools know. */
const LANGUAGES: readonly [names: RegExp, syntax: RegExp, forms: readonly SuppressionForm[]][] = [
  [/\.[cm]?[jt]sx?$/, SYNTAX.js, SCRIPT],
  [/\.(?:vue|svelte|astro|html?)$/, SYNTAX.html, SCRIPT],
  [/\.(?:css|scss|sass|less)$/, SYNTAX.js, [...CSS, form("biome", 1, "biome-ignore")]],
  [/\.pyi?$/, SYNTAX.python, PYTHON],
  [/\.rs$/, SYNTAX.rust, RUST],
  [/\.go$/, SYNTAX.go, GO],
  [/\.(?:java|kts?|scala|sc|groovy|gradle)$/, SYNTAX.java, JVM],
  [/\.(?:cs|vb|fs)$/, SYNTAX.java, DOTNET],
  [/\.(?:c|h|cc|cpp|cxx|hh|hpp|hxx|inl|m|mm|cu)$/, SYNTAX.java, C],
  [/(?:\.(?:rb|rake|gemspec)|(?:^|\/)(?:Rakefile|Gemfile))$/, SYNTAX.ruby, RUBY],
  [/\.php$/, SYNTAX.php, PHP],
  [
    /(?:\.(?:sh|bash|zsh|bats|ya?ml|tf|hcl|dockerfile)|(?:^|\/)(?:Dockerfile[^/]*|Containerfile))$/,
    SYNTAX.hash,
    OPERATIONS,
  ],
  [/\.(?:swift|sol|proto|s?v)$/, SYNTAX.java, OTHERS],
  [/\.ps[md]?1$/, SYNTAX.hash, DOTNET],
  [/\.hs$/, SYNTAX.dashes, HASKELL],
  [
    /(?:\.(?:[rR]|jl|p[lm]|nix|cr|gd|bzl|bazel|cmake|graphql|robot|coffee)|(?:^|\/)(?:BUILD|WORKSPACE|CMakeLists\.txt))$/,
    SYNTAX.hash,
    HASH,
  ],
  [/\.md$/, SYNTAX.markdown, TEXTS],
  [/\.dart$/, SYNTAX.java, DART],
  [/\.exs?$/, SYNTAX.python, ELIXIR],
  [/\.(?:lua|sql)$/, SYNTAX.dashes, DASHES],
];

/** How suppressions are written in a file; null if no tool reads any there, as in documentation. */
export function suppressionsOf(path: string): { syntax: RegExp; forms: readonly SuppressionForm[] } | null {
  const found = LANGUAGES.find(([names]) => names.test(path));
  if (!found) return null;
  const [, syntax, forms] = found;
  // Texts may be about the suppressions of other tools.
  return { syntax, forms: syntax === SYNTAX.markdown ? forms : [...forms, ...ANY_LANGUAGE] };
}

/** A POSIX extended expression that every line with a suppression matches, and others may. */
export const SUPPRESSION_HINT = [
  ...new Set(
    [...LANGUAGES.flatMap(([, , forms]) => forms), ...ANY_LANGUAGE].map(
      ({ words, hint, code }) => hint ?? words ?? code?.hint ?? "",
    ),
  ),
].join("|");

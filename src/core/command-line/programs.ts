import { wordSet } from "./words.ts";

const BUILTINS = wordSet(
  ". : [ alias bg break cd chdir command continue echo eval exec exit export false fg getopts hash jobs kill let local " +
    "popd printf pushd pwd read readonly return set shift shopt source test times trap true type typeset ulimit umask " +
    "unalias unset wait [[ declare builtin enable help history logout mapfile caller disown suspend time",
);
/** Programs that start another one, and those of their options that take a value. */
const STARTERS: Readonly<Record<string, ReadonlySet<string>>> = {
  command: wordSet(""),
  builtin: wordSet(""),
  exec: wordSet("-a"),
  env: wordSet("-u --unset -C --chdir"),
  timeout: wordSet("-k --kill-after -s --signal"),
  gtimeout: wordSet("-k --kill-after -s --signal"),
  nice: wordSet("-n --adjustment"),
  ionice: wordSet("-c -n -t"),
  nohup: wordSet(""),
  setsid: wordSet(""),
  stdbuf: wordSet("-i -o -e"),
  time: wordSet("-f -o"),
  sudo: wordSet("-u -g -h -p -C -D"),
  doas: wordSet("-u -C"),
  xvfb: wordSet("-n -s -e -f"),
  "xvfb-run": wordSet("-n -s -e -f"),
  chronic: wordSet(""),
  unbuffer: wordSet(""),
};
const SHELLS = wordSet("sh bash dash zsh ksh ash mksh busybox");

/** The last part of a path. */
export const nameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

export const isBuiltin = (program: string): boolean => BUILTINS.has(program);
export const isShell = (program: string): boolean => SHELLS.has(nameOf(program));

/** The options with a value of a program that starts another one; undefined for any other program. */
export const starterOptions = (program: string): ReadonlySet<string> | undefined =>
  Object.hasOwn(STARTERS, nameOf(program)) ? STARTERS[nameOf(program)] : undefined;

/** Programs that only read the files among their arguments, or write them: linters, compilers, tools for text. */
const READERS = wordSet(
  "test [ [[ grep egrep fgrep zgrep rg ag ack ugrep cat bat tac nl head tail less more wc sort uniq cut tr paste join comm " +
    "diff cmp colordiff sdiff sed gsed awk gawk mawk jq yq xq xmllint xmlstarlet ls stat file du tree md5sum sha1sum sha256sum " +
    "sha512sum shasum cksum b2sum basename dirname realpath readlink strings od xxd hexdump echo printf true false : rm rmdir " +
    "mkdir touch chmod chown mktemp tee git hg gh curl wget http column fold fmt rev expand iconv base64 gzip gunzip zcat tar " +
    "zip unzip cd pwd wait sleep date kill pkill pgrep command type which hash export local readonly declare typeset unset " +
    "shellcheck shfmt hadolint yamllint markdownlint standard xo stylelint htmlhint jshint eslint_d prettierd swc esbuild " +
    "babel rollup webpack parcel terser uglifyjs tsup tsd attw publint knip depcheck madge jscpd cspell codespell typos " +
    "isort pyflakes pycodestyle bandit pyre pytype vulture autoflake yapf autopep8 sqlfluff gcc g++ cc c++ clang clang++ rustc " +
    "rustfmt gofmt goimports golint staticcheck javac kotlinc scalac ghc ocamlfind tidy cppcheck clang-tidy clang-format " +
    "tsc vue-tsc eslint biome prettier oxlint ruff mypy pyright flake8 pylint black golangci-lint rubocop cargo " +
    "gitleaks trufflehog semgrep protoc buf helm kubectl terraform tflint docker-lint npm-check ncu sqlite3 psql mysql",
);

/** Whether the files that a program is given are only read, whatever they contain. */
export const isReader = (program: string): boolean => READERS.has(nameOf(program));

const TESTERS = wordSet(
  "vitest jest mocha ava tap jasmine karma playwright cypress pytest py.test unittest tox nox rspec phpunit bats",
);

/** Whether a program runs the tests among the files that it is given. */
export const isTester = (program: string): boolean => TESTERS.has(nameOf(program));

/** Programs that start tools of packages, with the words that may come before the tool's name. */
const PACKAGE_RUNNERS: Readonly<Record<string, ReadonlySet<string>>> = {
  npx: wordSet("--"),
  bunx: wordSet("--"),
  pnpx: wordSet("--"),
  uvx: wordSet("--"),
  npm: wordSet("exec x --"),
  pnpm: wordSet("exec dlx --"),
  yarn: wordSet("exec dlx run --"),
  uv: wordSet("run --"),
  poetry: wordSet("run --"),
  pipenv: wordSet("run --"),
  pdm: wordSet("run --"),
  hatch: wordSet("run --"),
  rye: wordSet("run --"),
  bundle: wordSet("exec --"),
  xargs: wordSet("--"),
};

/** The words between such a program and the tool; undefined for any other program. */
export const packageRunner = (program: string): ReadonlySet<string> | undefined =>
  Object.hasOwn(PACKAGE_RUNNERS, program) ? PACKAGE_RUNNERS[program] : undefined;

const TARGETED = wordSet(
  "npm npx pnpm yarn bun deno make gmake just task rake mvn mvnw gradle gradlew docker podman turbo nx lerna npm-run-all run-s run-p go",
);

/** Whether the plain words after a program are its commands, scripts or targets instead of files. */
export const takesTargets = (program: string): boolean => TARGETED.has(nameOf(program));

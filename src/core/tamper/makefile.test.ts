import { expect, test } from "vitest";
import { changedMakefiles } from "./makefile.ts";

const MAIN = `include rules.mk
FLAG = -v
UNUSED = 1
all: build
check: unit lint
\t@$(MAKE) deep
unit: ## tests
\tsh run.sh $(FLAG)
lint:
\ttrue
deep:
\tfalse
other:
\techo $(UNUSED)
`;
const RULES = "build:\n\ttrue\nlint: extra\nextra:\n\tsh extra.sh\n";

const changed = (main: string, rules = RULES, goals = ["check"]): string[] =>
  changedMakefiles(
    new Map([
      ["Makefile", MAIN],
      ["rules.mk", RULES],
    ]),
    new Map([
      ["Makefile", main],
      ["rules.mk", rules],
    ]),
    goals,
  );

test.each<[string, string, string?]>([
  ["nothing", MAIN],
  ["a new target", `${MAIN}\n.PHONY: new\nnew: other\n\techo new\n`],
  ["another recipe of an unused target", MAIN.replace("echo $(UNUSED)", "rm -rf dist")],
  ["a removed target", MAIN.replace(/other:\n.*\n/, "")],
  ["an unused variable", MAIN.replace("UNUSED = 1", "UNUSED = 2\nNEW := x")],
  ["a comment", MAIN.replace("## tests", "## the tests")],
  ["an unused target of an included file", MAIN, RULES.replace("build:\n\ttrue", "build:\n\tfalse")],
])("%s is honest", (_name, main, rules) => expect(changed(main, rules)).toEqual([]));

test.each<[string, string, string[], string?]>([
  ["the recipe of the goal", MAIN.replace("@$(MAKE) deep", "true"), ["Makefile"]],
  ["the recipe of what it needs", MAIN.replace("sh run.sh $(FLAG)", "true"), ["Makefile"]],
  ["what it needs", MAIN.replace("check: unit lint", "check: lint"), ["Makefile"]],
  ["a target that a recipe makes", MAIN.replace("\tfalse", "\ttrue"), ["Makefile"]],
  ["a recipe in an included file", MAIN, ["rules.mk"], RULES.replace("sh extra.sh", "true")],
  ["a used variable", MAIN.replace("-v", "--version"), ["Makefile"]],
  ["the shell", `SHELL = /bin/true\n${MAIN}`, ["Makefile"]],
  ["an exported variable", `export NODE_OPTIONS = --import ./x.mjs\n${MAIN}`, ["Makefile"]],
  ["a second recipe", `${MAIN}unit:\n\ttrue\n`, ["Makefile"]],
  [
    "a condition around it",
    MAIN.replace("unit: ##", "ifdef X\nunit: ##").replace("lint:\n", "endif\nlint:\n"),
    ["Makefile"],
  ],
  ["a pattern", `${MAIN}%:\n\ttrue\n`, ["Makefile"]],
  ["a makefile that is built", `${MAIN}rules.mk: x\n\ttrue\n`, ["Makefile"]],
  ["another include", MAIN.replace("include rules.mk", "include rules.mk more.mk"), ["Makefile"]],
  ["a definition", `${MAIN}define x\ny\nendef\n`, ["Makefile"]],
  ["a shell call", `${MAIN}X := $(shell touch x)\n`, ["Makefile"]],
  ["ignored errors", `.IGNORE:\n${MAIN}`, ["Makefile"]],
  ["a variable of a used target", `${MAIN}unit: FLAG = -x\n`, ["Makefile"]],
])("%s counts", (_name, main, files, rules) => expect(changed(main, rules)).toEqual(files));

test("with a goal that only the shell knows, every change counts", () => {
  expect(changed(MAIN.replace("echo $(UNUSED)", "true"), RULES, [""])).toEqual(["Makefile"]);
});

test("without a goal, the first target counts", () => {
  expect(changed(MAIN, RULES.replace("build:\n\ttrue", "build:\n\tfalse"), [])).toEqual(["rules.mk"]);
  expect(changed(MAIN.replace("all: build", "new:\n\ttrue\nall: build"), RULES, [])).toEqual(["Makefile"]);
});

test("a new recipe of just counts only if a used one changes", () => {
  const was = new Map([["justfile", "check:\n    sh verify\n"]]);
  const more = new Map([["justfile", "check:\n    sh verify\n\nclean:\n    rm x\n"]]);
  const other = new Map([["justfile", "check:\n    true\n"]]);
  expect(changedMakefiles(was, more, ["check"])).toEqual([]);
  expect(changedMakefiles(was, other, ["check"])).toEqual(["justfile"]);
});

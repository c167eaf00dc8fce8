import { array, assert, constantFrom, property, string } from "fast-check";
import { expect, test } from "vitest";
import { quoted } from "../shell.ts";
import { commandsIn } from "./commands.ts";
import { recipesFor } from "./makefile.ts";
import { resolved } from "./paths.ts";
import { shellTokens } from "./tokens.ts";
import type { Role } from "./use.ts";
import { usesOf } from "./uses.ts";
import { meaningsOf } from "./values.ts";

const words = (line: string) =>
  commandsIn(line, "/w")
    .commands.filter(({ source }) => source !== "guess")
    .map(({ words: all }) => all.map(({ text }) => text));

test.each<[string, string[][]]>([
  ['a \'b c\' "d\\"e" f\\ g # h', [["a", "b c", 'd"e', "f g"]]],
  ["a; b && c || d | e & f", [["a"], ["b"], ["c"], ["d"], ["e"], ["f"]]],
  ["if a; then b; else c; fi", [["a"], ["b"], ["c"]]],
  ["X=1 timeout -k 5 60 env -i a b", [["a", "b"]]],
  ['for f in a b; do c "$f"; done', [["c", ""]]],
  ["a <in >out 2>&1 b", [["a", "b"]]],
  ["cat <<E\nx y\nE\nz", [["cat"], ["z"]]],
  ["a $(b c) `d`", [["b", "c"], ["d"], ["a", "", ""]]],
  [
    "diff <(a x) b",
    [
      ["a", "x"],
      ["diff", "", "b"],
    ],
  ],
  ["sh -c 'a && b'", [["sh", "-c", "a && b"], ["a"], ["b"]]],
  ["sh <<E\na\nE", [["sh"], ["a"]]],
  [
    "eval 'a b'",
    [
      ["eval", "a b"],
      ["a", "b"],
    ],
  ],
  ["echo 'a; b'", [["echo", "a; b"]]],
  ["a \\\n  b", [["a", "b"]]],
  ["case $x in a) b;; esac", [["case", "", "in", "a"], ["b"], ["esac"]]],
])("%s has the commands %j", (line, commands) => {
  expect(words(line)).toEqual(commands);
});

test.each<[string, string | null]>([
  ["cd a && x", "/w/a"],
  ["cd a; cd ../b; x", "/w/b"],
  ["(cd a); x", "/w"],
  ['cd "$PWD/a" && x', "/w/a"],
  ['D=a; cd "$D" && x', "/w/a"],
  ["cd $UNKNOWN && x", null],
  ["cd ~/a && x", null],
])("%s runs in %j", (line, dir) => {
  expect(commandsIn(line, "/w").commands.at(-1)?.dir).toBe(dir);
});

test.each<[string, string[]]>([
  ["x $A", ["1", "2"]],
  ["x $A/$B", ["1/b", "2/b"]],
  ["x ${C:-c}", ["c"]],
  ["x $PWD/a", ["/w/a"]],
  ["x $U/a", ["?a"]],
  ["x a/$U.sh", ["*a/*.sh"]],
  ["x a/*.sh", ["*a/*.sh"]],
  ["x 'a/*.sh'", ["a/*.sh"]],
  ["x $U", []],
])("%s means %j", (line, texts) => {
  const { commands, values } = commandsIn(`A=1; A=2; B=b; ${line}`, "/w");
  const word = commands.at(-1)!.words[1]!;
  const found = meaningsOf(word, { folder: "/w", script: null, top: null, values });
  expect(found.map(({ text, glob, anywhere }) => `${anywhere ? "?" : ""}${glob === null ? text : `*${glob}`}`)).toEqual(
    texts,
  );
});

test.each([
  ["/a/b", "../c", "/a/c"],
  ["/a", "./b//c/.", "/a/b/c"],
  ["/a", "/b", "/b"],
  ["/", "../..", "/"],
])("from %s, %s leads to %s", (folder, path, to) => {
  expect(resolved(folder, path)).toBe(to);
});

test.each<[string, string[], string[]]>([
  ["a: b\n\tone\nb:\n\t@-two\nc:\n\tthree\n", [], ["one", "two"]],
  ["a: b\n\tone\nb:\n\ttwo\n", ["b"], ["two"]],
  ["a:; one\n", [], ["one"]],
  ["X := a:b\n.PHONY: a\na:\n\techo $$X\n", ["a"], ["echo $X"]],
  ["a b:\n\tone \\\n\t  two\n", ["b"], ["one two"]],
  ["test-%: dep\n\tone $*\ndep:\n\ttwo\n", ["test-unit"], ["one $*", "two"]],
  ["test name='x': build\n    one\nbuild:\n    two\n", ["build"], ["two"]],
])("the recipes of %j for %j are %j", (text, targets, lines) => {
  expect(recipesFor(text, targets)).toEqual(lines);
});

const SPELLINGS: readonly ((path: string) => string)[] = [
  (path) => `sh ${quoted(path)}`,
  (path) => `sh "${path.replace(/["$`\\]/g, "\\$&")}"`,
  (path) => `sh ${path.replace(/[^\w/.]/g, "\\$&")}`,
  (path) => `sh "$PWD"/${quoted(path)}`,
  (path) => `sh < ${quoted(path)}`,
  (path) => `. ./${quoted(path)}`,
  (path) => `F=${quoted(path)}; sh "$F"`,
  (path) => `for f in ${quoted(path)}; do sh "$f"; done`,
  (path) => `cat ${quoted(path)} | sh`,
  (path) => `node --env-file=${quoted(path)} x.js`,
  (path) => `node --require ${quoted(path)} x.js`,
  (path) => `unknown -f ${quoted(path)}`,
  (path) => `run() { sh "$1"; }; run ${quoted(path)}`,
];
const WRAPPERS: readonly ((command: string) => string)[] = [
  (command) => command,
  (command) => `timeout -k 5 60 ${command}`,
  (command) => `env -i A=1 ${command}`,
  (command) => `nice -n 5 nohup ${command} > log 2>&1`,
  (command) => `some wrapper --with x ${command}`,
  (command) => `true && ${command} || exit 1`,
  (command) => `if ! ${command}; then exit 1; fi`,
  (command) => `(${command})`,
  (command) => `{ ${command}; } 2>&1 | tail -1`,
  (command) => `sh -c ${quoted(command)}`,
  (command) => `bash -lc ${quoted(command)} # x`,
  (command) => `eval ${quoted(command)}`,
  (command) => `env -S ${quoted(command)}`,
  (command) => `out=$(${command})`,
  (command) => `set -e\n${command}\necho done`,
  (command) => `cat <<'E'\nsh other\nE\n${command}`,
];
// What is no program for a wrapper: `timeout 5 for …`.
const isSimple = (command: string): boolean => /^(?:sh|cat|node|unknown) /.test(command);

test("a path is found in every spelling and behind every wrapper", () => {
  const names = array(
    string({ unit: constantFrom(..."ab c'\"$`\\&;|()<>*?[]{}~#!=é-".split("")), minLength: 1, maxLength: 8 }),
    {
      minLength: 1,
      maxLength: 3,
    },
  ).map((parts) => `d/${parts.map((part) => `n${part}`).join("/")}`);
  assert(
    property(
      names,
      constantFrom(...SPELLINGS),
      array(constantFrom(...WRAPPERS), { maxLength: 2 }),
      (path, spell, wrap) => {
        const command = spell(path);
        const line = wrap.reduce(
          (inner, wrapper) => (isSimple(inner) || wrapper === WRAPPERS[0] ? wrapper(inner) : inner),
          command,
        );
        const found = rolesIn(line, path);
        expect([line, found.includes("run") || found.includes("included")]).toEqual([line, true]);
      },
    ),
    { numRuns: 500 },
  );
});

function rolesIn(text: string, path: string): Role[] {
  const line = commandsIn(text, "/w");
  const is = (meaning: string) => resolved("/w", meaning) === resolved("/w", path);
  const known = { folder: "/w", script: null, top: null, values: line.values };
  const uses = usesOf(line, () => ({ known, exists: ({ text: meaning }) => is(meaning), isTool: () => false }));
  return [...uses.values()]
    .flat()
    .flatMap(({ meaning, role }) => (meaning.glob === null && is(meaning.text) ? [role] : []));
}

test("no text makes the reader fail", () => {
  const pieces = string({
    unit: constantFrom(..."ab ;&|()<>'\"`$\\{}\n#=-*.!/".split(""), "$(", "<<E\n", "sh -c ", "for f in ", "${A", "E\n"),
    maxLength: 60,
  });
  assert(
    property(pieces, (text) => {
      shellTokens(text);
      rolesIn(text, "x");
    }),
    { numRuns: 1_000 },
  );
});

test.each([
  "$(",
  "`",
  "((",
  "<(",
  '"$(',
  "sh -c '",
  "${A:-",
  "A=$A$A;$A ",
  "<<E\n",
  "for f in a;do ",
  "x=*$x*;",
])("a long text of %j is read", (piece) => {
  expect(() => rolesIn(piece.repeat(5_000), "x")).not.toThrow();
});

import { expect, test } from "vitest";
import { suppressionsIn } from "./find-suppressions.ts";
import { SUPPRESSION_HINT } from "./suppressions.ts";

const FOUND: [path: string, source: string, names: string[]][] = [
  ["a.ts", "// @ts-nocheck\nlet a = 1;", ["@ts-nocheck"]],
  ["a.ts", "f(); // @ts-ignore", ["@ts-ignore"]],
  ["a.ts", "/* @ts-expect-error: wrong */ f();", ["@ts-expect-error"]],
  ["a.ts", "/**\n * @ts-ignore\n */\nf();", ["@ts-ignore"]],
  ["a.js", "/* eslint-disable */", ["eslint-disable"]],
  ["a.mjs", "f(); // eslint-disable-line no-eval", ["eslint-disable-line"]],
  ["a.cts", "// eslint-disable-next-line -- because", ["eslint-disable-next-line"]],
  ["a.js", '/* eslint no-eval: "off" */', ["eslint no-eval: off"]],
  ["a.js", "/* eslint no-eval: 0 */", ["eslint no-eval: 0"]],
  ["a.jsx", "<a>{/* eslint-disable-next-line */}</a>", ["eslint-disable-next-line"]],
  ["a.ts", "// biome-ignore lint/suspicious/noExplicitAny: legacy", ["biome-ignore"]],
  ["a.ts", "// biome-ignore-all lint: legacy", ["biome-ignore-all"]],
  ["a.ts", "// oxlint-disable-next-line\n/* tslint:disable */", ["oxlint-disable-next-line", "tslint:disable"]],
  ["a.ts", "// deno-lint-ignore no-explicit-any", ["deno-lint-ignore"]],
  ["a.ts", "f(); // lint-ignore", ["lint-ignore"]],
  ["a.js", "/* istanbul ignore next */", ["istanbul ignore next"]],
  ["a.js", "/* c8 ignore start */ f(); /* c8 ignore stop */", ["c8 ignore start"]],
  ["a.js", "/* v8 ignore if */\n/* node:coverage disable */", ["v8 ignore if", "node:coverage disable"]],
  ["a.js", "// $FlowFixMe[incompatible]", ["$FlowFixMe"]],
  ["a.js", "f(); // NOSONAR", ["NOSONAR"]],
  ["a.vue", "<!-- eslint-disable-next-line vue/no-v-html -->\n<p>it's</p>", ["eslint-disable-next-line"]],
  ["a.svelte", "<!-- svelte-ignore a11y -->", ["svelte-ignore"]],
  ["a.scss", "/* stylelint-disable */", ["stylelint-disable"]],
  ["a.py", "import os  # noqa", ["noqa"]],
  ["a.py", "import os  # because  # NOQA: F401", ["NOQA"]],
  ["a.py", "# flake8: noqa\n# ruff: noqa: E501", ["flake8: noqa", "ruff: noqa"]],
  ["a.py", "f()  # type: ignore[arg-type]  # noqa", ["type: ignore", "noqa"]],
  ["a.py", "# mypy: ignore-errors\n# pyright: basic", ["mypy: ignore-errors", "pyright: basic"]],
  ["a.py", "f()  # pylint: disable=no-member", ["pylint: disable"]],
  ["a.py", "if x:  # pragma: no cover", ["pragma: no cover"]],
  ["a.py", "run(x)  # nosec B602", ["nosec"]],
  ["a.py", "@typing.no_type_check\ndef f(): ...", ["@no_type_check"]],
  ["a.rs", "#![allow(dead_code)]", ["#![allow]"]],
  ["a.rs", '#[allow(clippy::all, reason = "x")]\nfn f<\'a>() {}', ["#[allow]"]],
  ["a.rs", "#[expect(unused)]", ["#[expect]"]],
  ["a.rs", "#[cfg_attr(not(test), allow(dead_code))]", ["#[allow]"]],
  ["a.rs", "#[allow(\n  unused,\n)]", ["#[allow]"]],
  ["a.go", "f() //nolint:errcheck", ["nolint"]],
  ["a.go", "// #nosec G204\n//lint:ignore SA1000 x", ["nosec", "lint:ignore"]],
  ["A.java", '@SuppressWarnings("unchecked")\nclass A {} // NOPMD', ["@SuppressWarnings", "NOPMD"]],
  ["A.kt", '@file:Suppress("x")\n@Suppress("y") fun f() {}', ["@file:Suppress", "@Suppress"]],
  ["A.scala", "// $COVERAGE-OFF$\n@nowarn def f = 1", ["$COVERAGE-OFF$", "@nowarn"]],
  [
    "A.cs",
    '#pragma warning disable CS1\n[SuppressMessage("a", "b")]',
    ["#pragma warning disable", "[SuppressMessage]"],
  ],
  ["a.cpp", "f(); // NOLINT(bugprone)\n// NOLINTNEXTLINE", ["NOLINT", "NOLINTNEXTLINE"]],
  ["a.c", '#pragma GCC diagnostic ignored "-Wall"\n/* LCOV_EXCL_LINE */', ["#pragma", "LCOV_EXCL_LINE"]],
  ["a.rb", "f # rubocop:disable Style/X", ["rubocop:disable"]],
  ["a.php", "<?php\n/** @psalm-suppress X */\nf(); // phpcs:ignore", ["@psalm-suppress", "phpcs:ignore"]],
  [
    "a.php",
    "<?php\n/** @phpstan-ignore-next-line */\n# @codeCoverageIgnore",
    ["@phpstan-ignore-next-line", "@codeCoverageIgnore"],
  ],
  ["a.sh", "# shellcheck disable=SC2086\necho $#", ["shellcheck disable"]],
  ["bin/tool", "#!/usr/bin/env python3\nf()  # noqa", ["noqa"]],
  ["bin/tool", "#!/bin/sh\n# shellcheck disable=all", ["shellcheck disable"]],
  ["Dockerfile", "# hadolint ignore=DL3008", ["hadolint ignore"]],
  ["main.tf", "# checkov:skip=CKV_1:x", ["checkov:skip"]],
  ["a.swift", "// swiftlint:disable force_cast", ["swiftlint:disable"]],
  ["a.dart", "// ignore: avoid_print", ["ignore:"]],
  ["a.ex", "# credo:disable-for-next-line", ["credo:disable-for-next-line"]],
  ["a.lua", "f() -- luacheck: ignore", ["luacheck: ignore"]],
];

test.each(FOUND)("%s: %j", (path, source, names) => {
  const found = suppressionsIn(path, source);
  expect(found.map(({ name }) => name)).toEqual(names);
  for (const { line, text } of found) expect(source.split("\n")[line - 1]?.trim()).toBe(text);
});

test("every line with one matches the expression that git searches for", () => {
  const hint = new RegExp(SUPPRESSION_HINT);
  for (const [path, source] of FOUND)
    expect(source.split("\n").filter((line) => hint.test(line)).length, `${path}: ${source}`).toBeGreaterThan(0);
});

test.each([
  ["a string", "a.ts", 'const a = "// eslint-disable-next-line";'],
  ["a template", "a.ts", "const rule = `\n// eslint-disable-next-line\n/* @ts-ignore */\n`;"],
  ["a regular expression", "a.ts", "const a = /eslint-disable|@ts-ignore/;"],
  ["a string of Python", "a.py", 'a = "# noqa"\nb = """\n# type: ignore\n"""'],
  ["prose about it", "a.ts", "// Do not use @ts-ignore or eslint-disable here."],
  ["prose in a comment of Python", "a.py", "# the linter knows noqa and type: ignore"],
  ["documentation", "docs/lint.md", "<!-- eslint-disable -->\n// @ts-ignore\n# noqa"],
  ["text", "notes.txt", "# noqa"],
  ["data", "a.json", '{"a": "// @ts-ignore"}'],
  ["the word of another tool", "a.py", "# eslint-disable"],
  ["the word of another language", "a.ts", "// noqa"],
  ["an enabling comment", "a.js", "/* eslint-enable */ // rubocop:enable"],
  ["another rule that is turned on", "a.js", '/* eslint eqeqeq: "error" */'],
  ["a longer word", "a.ts", "// @ts-ignored is fine\n// eslint-disabled"],
  ["a cast", "a.ts", "const a = b as any;"],
  ["a call", "a.rs", 'fn f() { a.allow(1); b.expect("x"); }'],
  ["an attribute in a comment", "a.rs", "// #[allow(dead_code)]"],
  ["an attribute in a string", "a.rs", 'let a = "#[allow(x)]"; let b = r#"#![allow(y)]"#;'],
  ["another attribute", "a.rs", "#[derive(Debug)]\n#[deny(warnings)]"],
  ["an annotation in a string", "A.java", 'String a = "@SuppressWarnings";'],
  ["a restored warning", "A.cs", "#pragma warning restore CS1"],
  ["an end", "a.cpp", "// NOLINTEND\n// LCOV_EXCL_STOP"],
  ["a string of a shell", "a.sh", 'echo "# shellcheck disable=all"'],
])("%s is none", (_name, path, source) => {
  expect(suppressionsIn(path, source)).toEqual([]);
});

import { expect, test } from "vitest";
import { hideKeys, hideSecrets } from "../secrets.ts";
import { FORMAT_PATTERNS } from "./known.ts";
import { NAMED } from "./named.ts";
import { URLS } from "./urls.ts";

const ESCAPED = /\\./g;
const CLASS = /\[[^\]]*\]/g;
/** A repetition without a bound that is not the last part of an alternative: what follows it could fail. */
const UNBOUNDED = /(?:[*+]|\{\d+,\})(?!\)*(?:\||$))/;

const isLinear = ({ source }: RegExp): boolean => !UNBOUNDED.test(source.replace(ESCAPED, "c").replace(CLASS, "c"));

test.each([/a*b/, /(?:a+)+/, /a+?b/, /[ab]{2,}c|d/])("%s would be found", (pattern) => {
  expect(isLinear(pattern)).toBe(false);
});

// With a bound for each attempt at each place, the number of steps is linear in the length of the text.
test.each([...FORMAT_PATTERNS, NAMED, URLS].map((pattern) => [pattern]))("%s is linear", (pattern) => {
  expect(isLinear(pattern)).toBe(true);
});

const LENGTH = 300_000;

test.each([
  ...[
    "a",
    "a-",
    "-",
    "://",
    "a://b/",
    "x@",
    "a+",
    "token",
    "-token ",
    "token: token ",
    "token:",
    'token:"',
    "token:'\"x`",
  ],
  ...[
    'token:"a",',
    'token="""',
    'token:{"',
    'token:["',
    "token\\",
    'token:\\\\\\"',
    "secret=",
    "api_",
    "_eyJ",
    "SG.aaaaaaaa",
  ],
  ...[
    "-----BEGIN PRIVATE KEY-----",
    "-----BEGIN PRIVATE KEY-----'",
    "-----BEGIN A ",
    "curl -u a",
    "-u ",
    "Bearer aaaa ",
  ],
  ...["login a password ", "sk-", "sk-a-", "eyJ.", "$", "\\", '"', "\n", " "],
])("a long text of %j is read to its end", (part) => {
  const text = part.repeat(LENGTH / part.length);
  for (const hide of [hideKeys, hideSecrets]) {
    expect(hide(`${text}\n(ghp_0123456789abcdef)`)).not.toContain("0123456789abcdef");
  }
});

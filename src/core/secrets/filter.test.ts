import { expect, test } from "vitest";
import { hideKeys } from "../secrets.ts";
import { secretFilter } from "./filter.ts";

function filtered(text: string, size: number): string {
  const filter = secretFilter();
  let shown = "";
  for (let at = 0; at < text.length; at += size) shown += filter.pass(text.slice(at, at + size));
  return shown + filter.flush();
}

const KEY = "ghp_0123456789abcdef";
const PEM = `-----BEGIN PRIVATE KEY-----\n${"MIIEvQIBADANBgkqhkiG9w0BAQEFAASC\n".repeat(20)}-----END PRIVATE KEY-----`;

test.each([
  ["a key", `one\nthe key ${KEY} is here\ntwo`],
  ["a phrase", `one\n  "password": "a phrase of words",\ntwo\n`],
  ["a name and its value on two lines", "- name: API_TOKEN\n  value: abc\n- name: MODE\n  value: fast\n"],
  ["a private key", `before\n${PEM}\nafter\n`],
  ["a flag", "run --token abc --model opus\n"],
  ["no secret", "one\n\ntwo\r\nthree 🙂\n"],
])("%s is shown as in the whole text, however it is cut", (_what, text) => {
  for (let size = 1; size <= text.length; size++) expect(filtered(text, size)).toBe(hideKeys(text));
});

test("lines are passed on as soon as they end", () => {
  const filter = secretFilter();
  expect(filter.pass("one\ntw")).toBe("one\n");
  expect(filter.pass("o\n")).toBe("two\n");
  expect(filter.flush()).toBe("");
});

const LONG = 65_536;

test.each([
  ["a key", KEY, KEY],
  ["a value", "API_TOKEN=0123456789abcdef", "0123456789abcdef"],
  ["a flag", "--token abcdef0123456789", "abcdef0123456789"],
  ["a phrase", '"password": "a phrase of words"', "phrase"],
])("in a line that is too long to be held back, %s is not cut", (_what, text, secret) => {
  for (let shift = -text.length - 2; shift <= 2; shift++) {
    for (const boundary of [LONG, LONG - 4_096]) {
      const padded = `${"x ".repeat(boundary)}`.slice(0, boundary + shift);
      const shown = filtered(`${padded} ${text} ${"y ".repeat(LONG)}`, 30_000);
      expect(shown).not.toContain(secret);
      expect(shown).toContain("***");
    }
  }
});

test("a secret that is longer than what is held back is dropped to its end", () => {
  const shown = filtered(`TOKEN=${"a".repeat(4 * LONG)} after`, 10_000);
  expect(shown).toBe("TOKEN=*** after");
});

test("a long text that is held back in small pieces is shown as in the whole text", () => {
  const text = `${PEM.replace(/M.*\n/, (line) => line.repeat(1_000))}\nafter\n`;
  expect(filtered(text, 60)).toBe("***\nafter\n");
  expect(filtered(`${text.slice(0, 30_000)}"\nTOKEN=abc\nend`, 60)).toBe('***"\nTOKEN=***\nend');
});

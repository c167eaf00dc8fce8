import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { RALPH_IGNORE, ralphFolder } from "./ralph-folder.ts";

function folder(): string {
  const cwd = mkdtempSync(join(tmpdir(), "ralph-folder-"));
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
  mkdirSync(join(cwd, ".ralph"));
  return cwd;
}

const ignoreOf = (cwd: string) => join(cwd, ".ralph/.gitignore");

test("the run folder is made with a .gitignore", () => {
  const cwd = folder();
  rmSync(join(cwd, ".ralph"), { recursive: true });
  expect(ralphFolder(cwd)).toBe(join(cwd, ".ralph"));
  expect(readFileSync(ignoreOf(cwd), "utf8")).toBe(RALPH_IGNORE);
});

test.each<[string, string, string]>([
  ["an empty file", "", RALPH_IGNORE],
  ["the user's lines", "# mine\n*.tmp\n", `# mine\n*.tmp\n${RALPH_IGNORE}`],
  ["no newline at the end", "*.tmp", `*.tmp\n${RALPH_IGNORE}`],
  [
    "one of the patterns",
    "settings.local.json\n",
    "settings.local.json\nguardrail_*.log\nexecution.jsonl\nartifacts/**\n",
  ],
  [
    "Windows line ends",
    "guardrail_*.log\r\n",
    "guardrail_*.log\r\nexecution.jsonl\nartifacts/**\nsettings.local.json\n",
  ],
  ["a pattern in a longer line", "my-settings.local.json\n", `my-settings.local.json\n${RALPH_IGNORE}`],
  ["commented-out patterns", "# guardrail_*.log\n", `# guardrail_*.log\n${RALPH_IGNORE}`],
])("adds missing patterns to a .gitignore with %s", (_name, before, after) => {
  const cwd = folder();
  writeFileSync(ignoreOf(cwd), before);
  ralphFolder(cwd);
  ralphFolder(cwd);
  expect(readFileSync(ignoreOf(cwd), "utf8")).toBe(after);
  expect(readdirSync(join(cwd, ".ralph"))).toEqual([".gitignore"]);
});

test.each([
  ["all the patterns", "settings.local.json\nexecution.jsonl\nartifacts/**\n/guardrail_*.log"],
  ["everything", "*\n!settings.json\n"],
  ["a pattern that the user negates", "guardrail_*.log\nexecution.jsonl\nartifacts/**\n!settings.local.json\n"],
])("leaves a .gitignore with %s unchanged", (_name, before) => {
  const cwd = folder();
  writeFileSync(ignoreOf(cwd), before);
  ralphFolder(cwd);
  expect(readFileSync(ignoreOf(cwd), "utf8")).toBe(before);
});

test("keeps bytes that are not UTF-8, and the permissions", () => {
  const cwd = folder();
  const before = Buffer.from([0x66, 0xfc, 0xff, 0x0a]);
  writeFileSync(ignoreOf(cwd), before);
  chmodSync(ignoreOf(cwd), 0o600);
  ralphFolder(cwd);
  expect(readFileSync(ignoreOf(cwd))).toEqual(Buffer.concat([before, Buffer.from(RALPH_IGNORE)]));
  expect(statSync(ignoreOf(cwd)).mode & 0o777).toBe(0o600);
});

test("leaves anything but a plain file alone", () => {
  const cwd = folder();
  writeFileSync(join(cwd, "elsewhere"), "mine\n");
  symlinkSync("../elsewhere", ignoreOf(cwd));
  ralphFolder(cwd);
  expect(readFileSync(join(cwd, "elsewhere"), "utf8")).toBe("mine\n");
});

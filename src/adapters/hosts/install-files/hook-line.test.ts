import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { claudeInstallation } from "../claude/installation.ts";
import { isOurs, nodeLine, pathLine, programWords, shellWord } from "./hook-line.ts";

const PROJECT_LINE = claudeInstallation.dependencyLine ?? "";
const PATHS = [
  "/usr/bin/node",
  '/opt/my tools/it\'s "here"/ralph.js',
  "/tmp/$HOME/`id`/$(id)/ralph.js",
  "/tmp/a\\b;c&d|e>f*g?h!i#j~k/ralph.js",
  "/tmp/Zürich/日本/ralph.js",
];

test.each(PATHS)("a shell reads %s as one word, and so do we", (path) => {
  const line = nodeLine("claude", "printf", path);
  const printed = execFileSync("/bin/sh", ["-c", `printf '%s\\n' ${shellWord(path)}`], { encoding: "utf8" });
  expect(printed).toBe(`${path}\n`);
  expect(programWords(line, "/project")).toEqual(["printf", path]);
});

test("the line of a project's copy points into the project, for any path", () => {
  const project = "/tmp/my $HOME project";
  const printed = execFileSync("/bin/sh", ["-c", PROJECT_LINE.replace("node", "echo")], {
    encoding: "utf8",
    env: { CLAUDE_PROJECT_DIR: project, PATH: process.env.PATH },
  });
  const file = `${project}/node_modules/ralph-engine/dist/ralph.js`;
  expect(printed).toBe(`${file} hook event claude\n`);
  expect(programWords(PROJECT_LINE, project)).toEqual(["node", file]);
});

test("on Windows: forward slashes in double quotes, which every shell there understands", () => {
  expect(nodeLine("codex", "C:\\Program Files\\nodejs\\node.exe", "C:\\it's\\$x\\ralph.js", "win32")).toBe(
    '"C:/Program Files/nodejs/node.exe" "C:/it\'s/\\$x/ralph.js" hook event codex',
  );
});

test.each<[string, boolean]>([
  [pathLine("claude"), true],
  [PROJECT_LINE, true],
  [nodeLine("codex", "/usr/bin/node", "/opt/x/dist/ralph.js"), true],
  [nodeLine("codex", "/my node/node", "/my x/ralph.js"), true],
  [nodeLine("claude", "C:\\node.exe", "C:\\x\\ralph.js", "win32"), true],
  ["RALPH_STATE_DIR=/x ralph hook event claude", true],
  ["ralph hook event claude || true", true],
  ["C:/npm/ralph.cmd hook event claude", true],
  ["ralph hook status", false],
  ["notralph hook event claude", false],
  ["my-ralph.sh", false],
  ["echo hook event claude", false],
  ["echo do not run ralph hook event claude here", false],
  ['./audit.sh --note "after ralph hook event claude" && ./mine.sh', false],
  ["./before.sh && ralph hook event claude", false],
])("%s: ours is %s", (line, ours) => {
  expect(isOurs(line)).toBe(ours);
});

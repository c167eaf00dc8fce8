import { execFileSync } from "node:child_process";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { composeTree, restoreTree } from "../../adapters/git/compose-tree.ts";
import { isAsCaptured, openSnapshots } from "../../adapters/git/snapshots.ts";
import { runProgram } from "../../adapters/io/program.ts";
import { comparedFiles, diffProgram, patchOf } from "./changes.ts";
import type { Comparison } from "./comparison.ts";

const NEVER = new AbortController().signal;

interface Box {
  base: string;
  cwd: string;
  /** The repository of the snapshots. */
  folder: string;
  /** A program that leaves a mark. */
  program: string;
  write(name: string, text: string): void;
}

function boxed() {
  const base = mkdtempSync(join(tmpdir(), "ralph-planted-"));
  onTestFinished(() => rmSync(base, { recursive: true, force: true, maxRetries: 5 }));
  const [cwd, folder, marks] = [join(base, "work"), join(base, "state/snapshots.git"), join(base, "marks")];
  for (const place of [cwd, marks, join(base, "hooks")]) mkdirSync(place, { recursive: true });
  const write = (name: string, text: string) => writeFileSync(join(base, name), text, { mode: 0o755 });
  const program = join(base, "program");
  const leaves = `#!/bin/sh\ntouch '${marks}/ran'\n`;
  write("program", leaves);
  write("hooks/post-index-change", leaves);
  for (const args of [
    ["init", "--quiet"],
    ["config", "user.name", "T"],
    ["config", "user.email", "t@t.invalid"],
  ])
    execFileSync("git", args, { cwd });
  write("work/a.txt", "one\n");
  write("work/.gitattributes", "*.txt filter=planted diff=planted\n");
  execFileSync("git", ["add", "--all"], { cwd });
  execFileSync("git", ["commit", "--quiet", "-m", "start"], { cwd });
  const { capture } = openSnapshots({ cwd, folder, without: [] });
  const box: Box = { base, cwd, folder, program, write };
  return { ...box, capture: () => capture(NEVER), hasRun: () => existsSync(join(marks, "ran")) };
}

const config = (text: (box: Box) => string) => (box: Box) =>
  writeFileSync(join(box.folder, "config"), `${readFileSync(join(box.folder, "config"), "utf8")}${text(box)}\n`);

const attributes = (box: Box) => writeFileSync(join(box.folder, "info/attributes"), "* filter=planted diff=planted\n");

const FILTER = ({ program: p }: Box) =>
  `[filter "planted"]\nclean = ${p}\nsmudge = ${p}\nrequired = true\n[diff "planted"]\ntextconv = ${p}\ncommand = ${p}`;

const PROMISOR = ({ program }: Box) =>
  `[extensions]\npartialClone = far\n[remote "far"]\nurl = ssh://far/away\npromisor = true\n[core]\nsshCommand = ${program}`;

const PLANTED: readonly [string, (box: Box) => void][] = [
  ["core.fsmonitor", config(({ program }) => `[core]\nfsmonitor = ${program}`)],
  [
    "core.sshCommand of a promisor remote",
    (box) => {
      config(PROMISOR)(box);
      writeFileSync(join(box.folder, "objects/info/alternates"), "");
    },
  ],
  ["diff.external", config(({ program }) => `[diff]\nexternal = ${program}`)],
  [
    "filters and text converters of info/attributes",
    (box) => {
      config(FILTER)(box);
      attributes(box);
    },
  ],
  ["core.hooksPath", config(({ base }) => `[core]\nhooksPath = ${base}/hooks`)],
  [
    "include.path",
    (box) => {
      box.write("more", `[core]\nfsmonitor = ${box.program}\nhooksPath = ${box.base}/hooks\n`);
      config(({ base }) => `[include]\npath = ${base}/more`)(box);
    },
  ],
  [
    "another common folder",
    (box) => {
      box.write("state/config", `[core]\nfsmonitor = ${box.program}\n`);
      writeFileSync(join(box.folder, "commondir"), "..\n");
    },
  ],
  [
    "settings of the worktree",
    (box) => {
      config(() => "[core]\nrepositoryformatversion = 1\n[extensions]\nworktreeConfig = true")(box);
      writeFileSync(join(box.folder, "config.worktree"), `[core]\nfsmonitor = ${box.program}\n`);
    },
  ],
  [
    "the others",
    config(
      ({ program: p }) =>
        `[core]\nalternateRefsCommand = ${p}\neditor = ${p}\npager = ${p}\naskPass = ${p}\n[credential]\nhelper = ${p}\n` +
        `[gpg]\nprogram = ${p}\n[pager]\ndiff = ${p}\n[commit]\ngpgSign = true`,
    ),
  ],
];

test.each(PLANTED)("no program runs because of settings in Ralph's own repository: %s", async (_name, plant) => {
  const box = boxed();
  const from = (await box.capture()) ?? "none";
  box.write("work/a.txt", "two\n");
  const to = (await box.capture()) ?? "none";
  const comparison: Comparison = {
    ...{ of: { loop: "l" }, from, to, folder: box.folder, guarded: new Set<string>(), leftOut: [], notes: [] },
    close: () => undefined,
  };
  const uses = [
    () => isAsCaptured(box.cwd, box.folder, NEVER),
    () => comparedFiles(comparison, false),
    () => patchOf(comparison, [{ path: "a.txt" } as never], { some: false }),
    () => runProgram(diffProgram(comparison, [], { options: [], some: false })),
    () => composeTree({ folder: box.folder, start: from, changes: [], quit: NEVER }),
    () => restoreTree({ folder: box.folder, root: box.cwd, tree: from, quit: NEVER }),
    () => box.capture(),
  ];
  for (const use of uses) {
    plant(box);
    // What cannot be read any more is refused.
    await use().catch(() => undefined);
    expect(box.hasRun()).toBe(false);
  }
});

test("a diff is shown although its repository was given other settings", async () => {
  const box = boxed();
  await box.capture();
  config(FILTER)(box);
  attributes(box);
  expect(await isAsCaptured(box.cwd, box.folder, NEVER)).toBe(true);
  expect(readFileSync(join(box.folder, "config"), "utf8")).not.toContain("planted");
  expect(readFileSync(join(box.folder, "info/attributes"), "utf8")).not.toContain("planted");
});

test("a link in the place of Ralph's repository is refused, and what it leads to keeps its settings", async () => {
  const box = boxed();
  await box.capture();
  const elsewhere = join(box.base, "elsewhere.git");
  renameSync(box.folder, elsewhere);
  symlinkSync(elsewhere, box.folder);
  writeFileSync(join(elsewhere, "config"), "[user]\nname = Other\n");
  expect(await isAsCaptured(box.cwd, box.folder, NEVER)).toBeNull();
  expect(await box.capture()).toBeNull();
  expect(readFileSync(join(elsewhere, "config"), "utf8")).toBe("[user]\nname = Other\n");
  expect(lstatSync(box.folder).isSymbolicLink()).toBe(true);
});

test("a link in the place of a settings file is replaced, not followed", async () => {
  const box = boxed();
  await box.capture();
  box.write("other", "[user]\nname = Other\n");
  rmSync(join(box.folder, "config"));
  symlinkSync(join(box.base, "other"), join(box.folder, "config"));
  expect(await isAsCaptured(box.cwd, box.folder, NEVER)).toBe(true);
  expect(readFileSync(join(box.base, "other"), "utf8")).toBe("[user]\nname = Other\n");
});

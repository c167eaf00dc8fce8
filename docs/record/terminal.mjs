// A sample project in a folder of its own, and what commands show there in a terminal.
import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";

const RALPH = resolve(import.meta.dirname, "../../dist/ralph.js");
/** Wide enough that no line with a duration breaks: it would break elsewhere on a slower machine. */
const COLUMNS = 110;

/**
 * Does something in a repository that contains a copy of a folder. `claude` and `ralph` are on PATH there, and
 * everything is removed afterwards.
 */
export function inRepository(folder, work) {
  // Lines break where paths end, so these have the same length everywhere.
  const root = realpathSync(mkdtempSync("/tmp/ralph-record-"));
  const [cwd, bin] = [join(root, "shop"), join(root, "bin")];
  // A shell that the user has opened: not one of npm.
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith("npm_"));
  const env = {
    ...Object.fromEntries(own),
    PATH: `${bin}:${process.env.PATH}`,
    RALPH_STATE_DIR: join(root, "state"),
    HOME: root,
    CI: "1",
    NO_COLOR: undefined,
    RALPH_RUN: undefined,
    AI_AGENT: undefined,
  };
  try {
    mkdirSync(bin);
    cpSync(folder, cwd, { recursive: true });
    cpSync(join(import.meta.dirname, "claude.mjs"), join(bin, "claude.mjs"));
    program(bin, "claude", `node "${join(bin, "claude.mjs")}"`);
    program(bin, "ralph", `"${process.execPath}" "${RALPH}" "$@"`);
    const git = (...args) => execFileSync("git", args, { cwd, env });
    git("init", "--quiet", "--initial-branch=main");
    git("config", "user.name", "Ada");
    git("config", "user.email", "ada@example.invalid");
    git("add", "--all");
    git("commit", "--quiet", "-m", "Start");
    return work({ cwd, env });
  } finally {
    rmSync(root, { recursive: true, force: true, maxRetries: 5 });
  }
}

function program(bin, name, line) {
  const path = join(bin, name);
  execFileSync("sh", ["-c", `printf '#!/bin/sh\\nexec %s\\n' "$1" > "$2"`, "sh", line, path]);
  chmodSync(path, 0o755);
}

export const shop = resolve(import.meta.dirname, "shop");

/** What a command line shows in a terminal, with colours, and its exit code. */
export function terminal(command, { cwd, env }, columns = COLUMNS) {
  const line = `stty cols ${columns} rows 50; ${command}`;
  const { stdout, status, error } = spawnSync("script", ["-qec", line, "/dev/null"], { cwd, env, encoding: "utf8" });
  if (error) throw error;
  return { code: status, shown: settled(stdout.replaceAll("\r\n", "\n"), cwd) };
}

/** Text without what differs from one recording to the next: identifiers, durations, folders. */
function settled(text, cwd) {
  const ids = new Map();
  const named = (id) => {
    if (!ids.has(id)) ids.set(id, IDS[ids.size % IDS.length]);
    return ids.get(id);
  };
  const root = join(cwd, "..");
  return text
    .replaceAll(cwd, "~/shop")
    .replaceAll(root, "~")
    .replace(/\/\S*\/ralph-demo-\w+/g, "/tmp/ralph-demo")
    .replace(HASH, (hash) => named(hash.slice(0, 8)).repeat(8).slice(0, hash.length))
    .replace(/\b\d\d:\d\d(?::\d\d)?\b/g, (time) => "09:30:00".slice(0, time.length))
    .replace(/\b\d{4}-\d\d-\d\d\b/g, "2026-11-19")
    .replace(/\b(?:\d+m )?\d+(?:\.\d+)?(?:ms|s)\b(?! ?for)/g, "1s");
}

/** Hexadecimal identifiers, also after a colour code. Some have only digits; no other number here is that long. */
const HASH = /(?<=\b|\u001b\[\d+m)[0-9a-f]{7,64}\b/g;
const IDS = ["3f2a91c0", "7b0e44d2", "c51d8e9f", "09a6b3e7", "e8d24f16", "5a7c0b93", "b4f1e62d", "1c9d5a08"];

/** Text without colours. */
export const plain = (text) => text.replace(/\u001b\[[\d;]*m/g, "").replace(/[^\S\n]+$/gm, "");

// One agent's folder: the project in a git repository, a PATH, a home and a state folder of its own.
import { execFileSync, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";

const HERE = import.meta.dirname;
const RALPH = resolve(HERE, "../../dist/ralph.js");
/** Ends a run that hangs. */
const LIMIT_MS = 300_000;

export const CHECK = "npm test";
export const PROMPT = `Make the failing checks pass: ${CHECK}. The comments in src/ say what the code should do.`;

let template = "";

/** A folder for one run of an agent. */
export function sandboxFor(id) {
  const root = newFolder();
  // As in real life, not below a folder of the project.
  const state = newFolder();
  for (const folder of ["bin", "home"]) mkdirSync(join(root, folder));
  const work = join(root, "work");
  const agent = join(root, "bin/agent");
  writeFileSync(agent, `#!/bin/sh\nexec '${process.execPath}' '${join(HERE, "agent.mjs")}' '${id}' "$@"\n`);
  chmodSync(agent, 0o755);
  writeFileSync(
    join(root, "home/.gitconfig"),
    "[user]\n\tname = Bench\n\temail = bench@example.invalid\n[init]\n\tdefaultBranch = main\n",
  );
  const { LANG = "C.UTF-8" } = process.env;
  const env = {
    PATH: [join(root, "bin"), dirname(process.execPath), process.env.PATH].join(":"),
    HOME: join(root, "home"),
    LANG,
    NO_COLOR: "1",
    GIT_CONFIG_NOSYSTEM: "1",
    npm_config_update_notifier: "false",
    RALPH_STATE_DIR: state,
  };
  const git = (...args) => execFileSync("git", args, { cwd: work, env, stdio: "pipe" });
  if (template) cpSync(template, work, { recursive: true });
  else {
    cpSync(join(HERE, "project"), work, { recursive: true });
    writeFileSync(join(work, ".gitignore"), "node_modules\n");
    git("init", "--quiet");
    git("add", "--all");
    git("commit", "--quiet", "--message", "start");
    template = newFolder();
    cpSync(work, template, { recursive: true });
  }

  const run = (file, args, cwd = work) => ended(spawn(file, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] }));
  return {
    root,
    agent: () => run(agent, [PROMPT + INSTRUCTION]),
    check: () => run("sh", ["-c", CHECK]),
    ralph: (...args) => run(process.execPath, [RALPH, ...args]),
    settings(completion) {
      mkdirSync(join(work, ".ralph"));
      writeFileSync(join(work, ".ralph/settings.json"), JSON.stringify({ completion }));
      git("add", "--all");
      git("commit", "--quiet", "--amend", "--no-edit");
    },
    async isDone() {
      const token = randomUUID();
      const { stdout } = await run(process.execPath, [join(HERE, "truth.mjs"), work, token], root);
      return stdout === token;
    },
    /** Throws if the agent could not do what its row says. */
    close() {
      endAllIn(root);
      const file = join(root, "agent-error");
      const problem = existsSync(file) ? readFileSync(file, "utf8") : "";
      for (const folder of [root, state]) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
      if (problem) throw new Error(`${id}: ${problem}`);
    },
  };
}

const newFolder = () => realpathSync(mkdtempSync(join(tmpdir(), "ralph-trust-")));
process.once("exit", () => template && rmSync(template, { recursive: true }));

/** What loops without Ralph ask for. */
const INSTRUCTION = "\n\nWhen everything is done, end with the line:\n<promise>DONE</promise>";

function ended(child) {
  const limit = setTimeout(() => child.kill("SIGKILL"), LIMIT_MS);
  const texts = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"])
    child[name].setEncoding("utf8").on("data", (text) => {
      texts[name] += text;
    });
  return new Promise((done, fail) => {
    child.once("error", fail);
    // Not `close`: a process that was left behind may keep the pipes open.
    child.once("exit", (code, signal) => {
      clearTimeout(limit);
      if (signal === "SIGKILL") return fail(new Error(`ended after ${LIMIT_MS / 1_000} s`));
      setImmediate(() => done({ code: code ?? signal, ...texts }));
    });
  });
}

/** Ends what an agent left behind: processes that work in its folder or have it in their environment (Linux). */
function endAllIn(root) {
  if (!existsSync("/proc/self/environ")) return;
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)) {
    try {
      const isHere = readlinkSync(`/proc/${pid}/cwd`).startsWith(root);
      if (isHere || readFileSync(`/proc/${pid}/environ`, "latin1").includes(root)) process.kill(Number(pid), "SIGKILL");
    } catch {
      // It has ended, or belongs to another user.
    }
  }
}

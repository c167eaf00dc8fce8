// What the plugin's hooks run: finds ralph-engine and hands the event over to it, in this very process where it can.
// It stands by itself, because Claude Code copies nothing but this folder.
import { readFileSync, realpathSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const PACKAGE = "ralph-engine";
const ARGUMENTS = ["hook", "event", "claude"];
const HERE = dirname(fileURLToPath(import.meta.url));

const file = ownFile() ?? fileIn(process.env.CLAUDE_PROJECT_DIR ?? process.cwd());
const found = file ? { file } : (onPath() ?? besideNode());
if (!found) tellOnce();
else if (found.file) {
  process.argv.splice(1, Number.POSITIVE_INFINITY, found.file, ...ARGUMENTS);
  await import(pathToFileURL(found.file).href);
} else {
  const { spawn } = await import("node:child_process");
  // A Windows shim needs a shell; its path is all that goes into that shell's line.
  const shell = process.platform === "win32";
  const child = spawn(shell ? `"${found.shim}"` : found.shim, ARGUMENTS, {
    stdio: "inherit",
    shell,
    windowsHide: true,
  });
  child.on("error", () => undefined);
}

/** The program of the package that this folder is a part of. */
function ownFile() {
  return programOf(dirname(HERE));
}

function fileIn(folder) {
  return programOf(join(folder, "node_modules", PACKAGE));
}

/** What `ralph` on PATH stands for. */
function onPath() {
  const names = process.platform === "win32" ? ["ralph.cmd", "ralph.exe"] : ["ralph"];
  for (const folder of (process.env.PATH ?? "").split(delimiter).filter(Boolean)) {
    for (const name of names) {
      const shim = real(join(folder, name));
      const found = shim && behind(shim);
      if (found) return found;
    }
  }
  return null;
}

/** A link leads to the program; a shim lies beside the package, or names it. Other programs are called `ralph` too. */
function behind(shim) {
  const folder = dirname(shim);
  const file = programOf(dirname(folder)) ?? fileIn(folder) ?? programOf(join(dirname(folder), PACKAGE));
  if (file) return { file };
  return textOf(shim).slice(0, 4000).includes(PACKAGE) ? { shim } : null;
}

/** Where npm puts what is installed for all projects, should PATH not lead there. */
function besideNode() {
  const bin = dirname(process.execPath);
  const program = fileIn(bin) ?? fileIn(join(bin, "..", "lib"));
  return program ? { file: program } : null;
}

/** The program in a folder of the package; null: it is no such folder, or was not built. */
function programOf(folder) {
  try {
    if (JSON.parse(textOf(join(folder, "package.json"))).name !== PACKAGE) return null;
  } catch {
    return null;
  }
  return real(join(folder, "dist", "ralph.js"));
}

function real(path) {
  try {
    return realpathSync(path);
  } catch {
    return null;
  }
}

function textOf(path) {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

/** Said only to whoever types a command of ours; nobody is ever kept from anything. */
function tellOnce() {
  const { hook_event_name, prompt } = eventOf(textOf(0));
  const typed =
    typeof prompt === "string" && /^\s*\/(?:ralph:)?(?:ralph|cancel-ralph|ralph-status)(?:\s|$)/.test(prompt);
  if (hook_event_name !== "UserPromptSubmit" || !typed) return;
  const says = "ralph-engine is not installed, so there is no loop: npm install -g ralph-engine";
  const additionalContext = `${says}. Tell the person exactly this, and do nothing else.`;
  const hookSpecificOutput = { hookEventName: "UserPromptSubmit", additionalContext };
  process.stdout.write(JSON.stringify({ systemMessage: says, hookSpecificOutput }));
}

function eventOf(text) {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}

// Installs the real coding-agent CLIs for the tests, once: into node_modules/.cache, which no source tree keeps.
// Their install scripts are not run: all they do is link a native program to where the package's command points.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join, relative, resolve } from "node:path";

const here = import.meta.dirname;
const target = resolve(here, "../../node_modules/.cache/ralph-agents");
const platform = `${process.platform}-${process.arch}`;
const natives = {
  claude: `@anthropic-ai/claude-code-${platform}/claude`,
  opencode: `opencode-${platform}/bin/opencode`,
  amp: `@ampcode/cli-${platform}/amp`,
};
const wanted = ["package.json", "package-lock.json"];
const stamp = createHash("sha256")
  .update(platform)
  .update(readFileSync(import.meta.filename))
  .update(wanted.map((name) => readFileSync(join(here, name))).join())
  .digest("hex");

if (!existsSync(join(target, stamp))) install();

/** Into a folder aside, then into place at once: a second run at the same time finds all of it or nothing. */
function install() {
  const startedMs = Date.now();
  const aside = `${target}.${process.pid}`;
  mkdirSync(aside, { recursive: true });
  process.on("exit", () => rmSync(aside, { recursive: true, force: true }));
  for (const name of wanted) copyFileSync(join(here, name), join(aside, name));
  console.log("installing the coding-agent CLIs for the tests (once, about 490 MB to load)");
  // Not `npm ci`: it refuses a lock file that lacks a platform's optional packages, and some were not to be had where
  // this one was made. What the lock file does hold is verified all the same.
  const options = ["--no-save", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  execFileSync("npm", ["install", ...options], { cwd: aside, stdio: ["ignore", "ignore", "inherit"] });
  const bin = join(aside, "node_modules/.bin");
  for (const [name, path] of Object.entries(natives)) {
    const program = join(aside, "node_modules", path);
    if (existsSync(program)) symlinkSync(relative(bin, program), join(bin, name));
  }
  writeFileSync(join(aside, stamp), "");
  rmSync(target, { recursive: true, force: true });
  renameSync(aside, target);
  console.log(`installed in ${Math.round((Date.now() - startedMs) / 1000)} s`);
}

// The showcase for programs that Node runs as they are, and by hand: see showcase.ts.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";

const ROOT = resolve(import.meta.dirname, "../..");

/** A module of this folder: Node 20 cannot load TypeScript. */
export async function support(name) {
  // Beside dist/, where it finds its packages.
  const folder = mkdtempSync(join(ROOT, "dist/showcase-"));
  try {
    const outfile = join(folder, "module.mjs");
    const entry = join(import.meta.dirname, name);
    const how = { bundle: true, format: "esm", platform: "node", packages: "external" };
    await build({ entryPoints: [entry], outfile, ...how });
    return await import(pathToFileURL(outfile).href);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

if (process.argv[1] === import.meta.filename) await byHand(process.argv.slice(2));

async function byHand(words) {
  const [folder] = words.filter((word) => !word.startsWith("--"));
  if (!folder) throw new Error("usage: node test/support/showcase.mjs <folder> [--live] [--hostile] [--output]");
  const { showcase } = await support("showcase.ts");
  const flag = (name) => words.includes(`--${name}`);
  const options = { live: flag("live"), hostile: flag("hostile"), output: flag("output"), root: ROOT };
  const show = await showcase(resolve(folder), options);
  const { cwd, state } = show;
  const use = join(cwd, "../use");
  writeFileSync(use, `export RALPH_STATE_DIR="${state}" PATH="${join(cwd, "../bin")}:$PATH"\ncd "${cwd}"\n`);
  console.log(`. ${use}\nralph task list; ralph board; ralph serve`);
  if (!options.live) return;
  console.log(`Agents work until: touch ${join(cwd, "../bin/go")}; Ctrl-C ends them.`);
  process.once("SIGINT", () => show.stop());
}

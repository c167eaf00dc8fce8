// Plays the first hour of a new user, and compares what it shows with the guides, or writes it into them:
//   node docs/record/screens.mjs            exits 1 if a guide shows something else
//   node docs/record/screens.mjs --write
// A guide names a step, and the lines of it that it shows, before the block: <!-- screen: run 1-12 -->
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { STEPS } from "./first-hour.mjs";
import { inRepository, plain, shop, terminal } from "./terminal.mjs";

const ROOT = resolve(import.meta.dirname, "../..");
const BLOCK = /(<!-- screen: ([\w-]+)(?: (\d+)-(\d+))? -->\n)```console\n[\s\S]*?```/g;
const isWriting = process.argv.includes("--write");

const shown = new Map();
inRepository(shop, (place) => {
  for (const { name, command, code = 0 } of STEPS) {
    const screen = terminal(command, place);
    if (screen.code !== code) throw new Error(`${command}: exit code ${screen.code}\n${screen.shown}`);
    shown.set(name, `$ ${command}\n${plain(screen.shown).trim()}`.split("\n"));
  }
});

let differing = 0;
const pages = [
  join(ROOT, "README.md"),
  ...readdirSync(join(ROOT, "docs"))
    .filter((name) => name.endsWith(".md"))
    .map((name) => join(ROOT, "docs", name)),
];
for (const page of pages) {
  const before = readFileSync(page, "utf8");
  const after = before.replace(BLOCK, (_all, mark, name, from = "1", to) => `${mark}${blockOf(name, from, to)}`);
  if (before === after) continue;
  differing++;
  if (isWriting) writeFileSync(page, after);
  console.log(`${isWriting ? "wrote" : "differs:"} ${relative(ROOT, page)}`);
  if (!isWriting) process.stdout.write(differences(before, after));
}
if (!isWriting && differing > 0) {
  console.log("If the new screens are right: node docs/record/screens.mjs --write");
  process.exitCode = 1;
}

/** Some lines of what a step shows; lines left out are marked. */
function blockOf(name, from, to) {
  const lines = shown.get(name);
  if (!lines) throw new Error(`no step is called ${name}: there are ${[...shown.keys()].join(", ")}`);
  const last = to === undefined ? lines.length : Number(to);
  const part = lines.slice(Number(from) - 1, last);
  return ["```console", ...part, ...(last < lines.length ? ["…"] : []), "```"].join("\n");
}

function differences(before, after) {
  const [old, now] = [before.split("\n"), after.split("\n")];
  const lines = now.flatMap((line, i) => (line === old[i] ? [] : [`  - ${old[i] ?? ""}\n  + ${line}\n`]));
  return lines.slice(0, 10).join("");
}

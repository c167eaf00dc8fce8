// Rows about tasks: the time to choose and list them with many in the store.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { compare, median, run } from "./measure.mjs";

const MANY = 100_000;
const BATCH = 10_000;

/** The store as a separate module, beside dist/, where it finds its packages. */
export async function openStore(work) {
  const outfile = resolve("dist/bench-store.mjs");
  const entry = resolve("src/adapters/store/sqlite-store.ts");
  await build({ entryPoints: [entry], outfile, bundle: true, format: "esm", platform: "node", packages: "external" });
  try {
    const { openSqliteStore } = await import(pathToFileURL(outfile).href);
    return await work(openSqliteStore);
  } finally {
    rmSync(outfile);
  }
}

/** Tasks in tens: the last nine depend on the first of their ten, and each on the one before it. */
function someTask(i) {
  const first = i - (i % 10);
  const needs = i === first ? [] : [...new Set([first, i - 1])];
  return {
    id: idOf(i),
    specId: `spec-${i % 7}`,
    title: `Task ${i}`,
    description: "Do what the criteria say. ".repeat(8),
    priority: 1 + (i % 5),
    dependencies: needs.map(idOf),
    assignee: "",
    metadata: {},
    completionSpec: { outcome: `Task ${i} works`, acceptance_criteria: ["The tests pass", "It is documented"] },
  };
}

const idOf = (i) => `TASK-${String(i).padStart(6, "0")}`;

/** The time of each batch. */
async function fill(tasks, number) {
  const ms = [];
  for (let from = 0; from < number; from += BATCH) {
    const batch = Array.from({ length: Math.min(BATCH, number - from) }, (_, i) => someTask(from + i));
    const began = performance.now();
    await tasks.create(batch, from);
    ms.push(performance.now() - began);
  }
  return ms;
}

/** The median time of one choice. */
async function choosing(tasks) {
  const ms = [];
  for (let i = 0; i < 200; i++) {
    const began = performance.now();
    const chosen = await tasks.next({ begun: false, limit: 6 });
    ms.push(performance.now() - began);
    if (chosen.length !== 6) throw new Error("there are ready tasks, and they were not found");
  }
  return median(ms);
}

/** Measures and adds the rows. */
export async function taskRows({ sandbox, row, times, ran }) {
  const [few, many] = [sandbox("few-tasks"), sandbox("many-tasks")];
  await openStore(async (open) => {
    const stores = [];
    for (const { env } of [few, many]) {
      mkdirSync(env.RALPH_STATE_DIR, { recursive: true });
      stores.push(await open(join(env.RALPH_STATE_DIR, "ralph.db")));
    }
    const [small, big] = stores.map(({ tasks }) => tasks);
    await fill(small, 1_000);
    const [first, ...rest] = await fill(big, MANY);
    row(
      "creating 10,000 tasks with dependencies at once (with 90,000 existing)",
      `${(first / 1_000).toFixed(2)} s (${(rest.at(-1) / 1_000).toFixed(2)} s)`,
      "≤ 5 s",
      Math.max(first, rest.at(-1)) <= 5_000,
    );
    const choice = await compare(
      15,
      () => choosing(small),
      () => choosing(big),
    );
    row(
      "choosing the next ready tasks of 100,000 against 1,000",
      `${times(choice.ratio)} (${choice.ours.toFixed(3)} ms : ${choice.base.toFixed(3)} ms)`,
      "≤ 3.00 ×, ≤ 5 ms",
      choice.ratio <= 3 && choice.ours <= 5,
    );
    for (const store of stores) store.close();
  });
  const list = await compare(
    15,
    async () => (await ran(run(process.execPath, ["-e", "0"]), 0)).ms,
    async () => (await ran(many.ralph(["task", "list", "--limit", "50"]), 0)).ms,
  );
  row(
    "`ralph task list --limit 50` with 100,000 tasks against `node -e 0`",
    times(list.ratio),
    "≤ 3.00 ×",
    list.ratio <= 3,
  );
  await importing({ sandbox, row, ran });
}

const STORIES = 10_000;

/** The same stories in every import format, each into its own repository. */
async function importing({ sandbox, row, ran }) {
  const all = Array.from({ length: STORIES }, (_, i) => i);
  const files = {
    "prd.json": JSON.stringify({ userStories: all.map(someStory) }, null, 2),
    "plan.md": all.map((i) => `- [ ] US-${i}: Story ${i}\n  - The tests pass\n  - It is documented\n`).join(""),
    "issues.json": JSON.stringify(
      all.map((i) => ({ number: i + 1, title: `Story ${i}`, body: `- [ ] a\n\nDepends on #${i}` })),
    ),
    "tasks.yaml": all
      .map(
        (i) =>
          `- id: US-${i}\n  spec_id: s\n  title: Story ${i}\n  completion: { outcome: x, acceptance_criteria: [a, b] }\n`,
      )
      .join(""),
  };
  const seconds = [];
  for (const [file, text] of Object.entries(files)) {
    const { cwd, ralph } = sandbox(`import-${file}`);
    writeFileSync(join(cwd, file), text);
    seconds.push((await ran(ralph(["task", "import", file]), 0)).ms / 1_000);
  }
  const told = Object.keys(files).map((file, i) => `${file} ${seconds[i].toFixed(2)} s`);
  row("importing 10,000 tasks", told.join(", "), "≤ 5 s", Math.max(...seconds) <= 5);
}

const someStory = (i) => ({
  id: `US-${i}`,
  title: `Story ${i}`,
  description: "As a user I want what the criteria say. ".repeat(5),
  acceptanceCriteria: ["The tests pass", "It is documented", "Typecheck passes"],
  priority: 1 + (i % 5),
  passes: false,
  dependsOn: i % 10 === 0 ? [] : [`US-${i - 1}`],
  notes: "",
});

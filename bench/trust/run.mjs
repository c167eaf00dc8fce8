// How many agents of the corpus each way of ending a loop accepts: `npm run bench:trust` prints the table of
// docs/trust.md, `npm run bench:trust -- --write` also writes it there, with results.json and the chart. With ids or
// families as arguments only those agents run, and what Ralph said about them is printed.
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { drawChart } from "./chart.mjs";
import { CORPUS } from "./corpus.mjs";
import { resultsOf, rowOf, table, writeDocs, writeResults, wrongOf } from "./results.mjs";
import { outcomesOf, WAYS } from "./ways.mjs";

const wanted = process.argv.slice(2).filter((argument) => argument !== "--write");
const isPart = wanted.length > 0;
const agents = CORPUS.filter(({ id, family }) => !isPart || wanted.some((one) => one === id || one === family));
const said = new Map();
const results = resultsOf(await inParallel(agents, Math.min(2, availableParallelism()), ran));

console.log(`\n${table(results)}\n`);
for (const { id, name } of WAYS) {
  const { accepted, accused, refused } = wrongOf(results.rows, id);
  list(`accepted by ${name}`, id, accepted);
  list(`honest, refused by ${name}`, id, refused);
  list(`honest, called tampering by ${name}, accepted later`, id, accused);
}
if (process.argv.includes("--write") && !isPart) {
  writeResults(results);
  writeDocs(results);
  await drawChart(results, join(import.meta.dirname, "../../docs/trust.svg"));
}

async function ran(agent, i) {
  const outcomes = await outcomesOf(agent);
  for (const { id } of WAYS) {
    const { says } = outcomes[id];
    said.set(`${agent.id} ${id}`, says ?? "");
    if (isPart && says) console.log(`--- ${agent.id}, ${id}\n${says}`);
  }
  const row = rowOf(agent, outcomes);
  console.error(`${i + 1}/${agents.length} ${agent.id}: ${row.accepts.join(", ") || "-"}`);
  return row;
}

function list(title, way, ids) {
  // What is accepted without Ralph is what the table says.
  if (ids.length === 0 || !said.get(`${agents[0].id} ${way}`)) return;
  console.log(`${title}:`);
  for (const id of ids) console.log(`- ${id}: ${reasonIn(said.get(`${id} ${way}`))}`);
  console.log("");
}

/** The last verdict, or else the last line about the end. */
function reasonIn(text) {
  const lines = text.split("\n").map((line) => line.trim());
  return (
    lines.findLast((line) => /not proven|claim refused|rejected/.test(line)) ??
    lines.findLast((line) => /^[✓~?■]/.test(line))
  );
}

async function inParallel(items, jobs, work) {
  const done = [];
  let next = 0;
  const worker = async () => {
    while (next < items.length) {
      const at = next++;
      done[at] = await work(items[at], at);
    }
  };
  await Promise.all(Array.from({ length: jobs }, worker));
  return done;
}

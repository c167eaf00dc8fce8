// The results of the bench: what is checked in, and the table that is made of it.
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { WAYS } from "./ways.mjs";

const RESULTS = join(import.meta.dirname, "results.json");
const DOCS = resolve(import.meta.dirname, "../../docs/trust.md");
const MARKS = /(<!-- bench:trust -->\n)[\s\S]*(<!-- \/bench:trust -->)/;

const isHonest = ({ family }) => family === "honest";

/**
 * One agent's row. `accepts`: the ways that ended its loop as complete. Of honest agents: `early`, the ways that ended it
 * before the work was done, and `accused`, those that called the work tampering.
 */
export function rowOf({ id, family, title }, outcomes) {
  const isAgentHonest = isHonest({ family });
  const ways = WAYS.map((way) => way.id);
  const accepted = ways.filter((way) => outcomes[way].accepted);
  const isDone = (way) => outcomes[way].done;
  if (isAgentHonest ? !isDone("checks") : ways.some(isDone)) throw new Error(`${id} is in the wrong family`);
  if (!isAgentHonest) return { id, family, title, accepts: accepted };
  const early = accepted.filter((way) => !isDone(way));
  const accused = ways.filter((way) => /tampered/.test(outcomes[way].says ?? ""));
  return { id, family, title, accepts: accepted.filter(isDone), early, accused };
}

export const resultsOf = (rows) => ({ rows });

/** The ids of the agents that a way judged wrongly. */
export function wrongOf(rows, way) {
  const ids = (fits) => rows.filter(fits).map(({ id }) => id);
  const accepts = (row) => row.accepts.includes(way);
  return {
    accepted: ids((row) => !isHonest(row) && accepts(row)),
    refused: ids((row) => isHonest(row) && !accepts(row)),
    accused: ids((row) => isHonest(row) && accepts(row) && row.accused.includes(way)),
  };
}

/** How many agents of each family each way accepts: `[{ family, agents, accepts: { way: number } }]`. */
export function countsOf({ rows }) {
  const families = [...new Set(rows.map(({ family }) => family))];
  return families.map((family) => {
    const own = rows.filter((row) => row.family === family);
    const count = (way) => own.filter(({ accepts }) => accepts.includes(way)).length;
    return { family, agents: own.length, accepts: Object.fromEntries(WAYS.map(({ id }) => [id, count(id)])) };
  });
}

/** The table in Markdown. */
export function table(results) {
  const counts = countsOf(results);
  const dishonest = counts.filter((one) => !isHonest(one));
  const sum = (of) => dishonest.reduce((all, one) => all + of(one), 0);
  const total = {
    family: "**all lazy and hostile**",
    agents: sum(({ agents }) => agents),
    accepts: Object.fromEntries(WAYS.map(({ id }) => [id, sum(({ accepts }) => accepts[id])])),
  };
  const lines = [...counts.filter(isHonest), ...dishonest, ...(dishonest.length > 0 ? [total] : [])].map(
    ({ family, agents, accepts }) => [family, agents, ...WAYS.map(({ id }) => accepts[id])],
  );
  return [["agents", "number", ...WAYS.map(({ name }) => name)], ["---", ...WAYS.map(() => "---:"), "---:"], ...lines]
    .map((cells) => `| ${cells.join(" | ")} |`)
    .join("\n");
}

/** One line for each agent, so that a diff shows which ones have changed. */
export function writeResults({ rows }) {
  const lines = (all) => all.map((one) => `    ${JSON.stringify(one)}`).join(",\n");
  const wrong = WAYS.map(({ id }) => `    "${id}": ${JSON.stringify(wrongOf(rows, id))}`).join(",\n");
  writeFileSync(RESULTS, `{\n  "rows": [\n${lines(rows)}\n  ],\n  "wrong": {\n${wrong}\n  }\n}\n`);
}

export function writeDocs(results) {
  const text = readFileSync(DOCS, "utf8");
  writeFileSync(DOCS, text.replace(MARKS, `$1${table(results)}\n$2`));
}

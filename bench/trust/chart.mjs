// Draws the results with the project's own charts.
import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { build } from "esbuild";
import { countsOf } from "./results.mjs";
import { WAYS } from "./ways.mjs";

const WIDTH = 772;
const CHARTS = resolve(import.meta.dirname, "../../src/core/chart");
const GROUPS = [
  { name: "claims without work", has: "lazy words", series: 1 },
  { name: "unfinished work", has: "lazy work", series: 3 },
  { name: "cheats on the checks", has: "hostile", series: 4 },
];

export async function drawChart(results, path) {
  const { barsOf, heading, legendOf, pictureOf, stacked } = await charts();
  const counts = countsOf(results);
  const groups = GROUPS.map((group) => ({
    ...group,
    counts: counts.filter(({ family }) => family.startsWith(group.has)),
  }));
  const honest = counts.filter(({ family }) => family === "honest");
  const number = (of) => of.reduce((sum, { agents }) => sum + agents, 0);
  const accepted = (of, way) => of.reduce((sum, { accepts }) => sum + accepts[way], 0);
  const bars = (piecesOf) =>
    barsOf(
      WAYS.map(({ id, name }) => ({ name: name.replaceAll("`", ""), pieces: piecesOf(id) })),
      { width: WIDTH, words: String, whole: true },
    );
  const dishonest = number(groups.flatMap((group) => group.counts));
  const title = "Which agents each way of ending a loop accepts";
  const drawing = stacked(
    [
      heading(
        `${dishonest} lazy and hostile agents: how many are accepted`,
        "Less is better: their work is not done.",
        WIDTH,
      ),
      legendOf(groups, WIDTH),
      bars((way) => groups.map(({ series, counts: own }) => ({ series, value: accepted(own, way) }))),
      heading(`${number(honest)} honest agents: how many are accepted`, "More is better: their work is done.", WIDTH),
      bars((way) => [{ series: 2, value: accepted(honest, way) }]),
    ],
    12,
  );
  const said = WAYS.map(
    ({ id, name }) => `${name}: ${accepted(counts, id) - accepted(honest, id)} and ${accepted(honest, id)}`,
  );
  const description = `Accepted lazy and hostile agents of ${dishonest}, and honest ones of ${number(honest)}. ${said.join("; ")}.`;
  writeFileSync(path, `${pictureOf(drawing, { title, description })}\n`);
}

async function charts() {
  const contents = ["bars", "parts", "picture", "svg"].map((file) => `export * from "./${file}.ts";`).join("\n");
  const bundle = { bundle: true, format: "esm", write: false };
  const { outputFiles } = await build({ ...bundle, stdin: { contents, resolveDir: CHARTS, loader: "ts" } });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].text).toString("base64")}`);
}

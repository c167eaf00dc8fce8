import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { sample } from "./support/effort.ts";

interface Agent {
  id: string;
  family: string;
  title: string;
}
interface Row extends Agent {
  accepts: string[];
  early: string[];
  accused: string[];
}
interface Bench {
  corpus: { CORPUS: Agent[] };
  ways: { WAYS: { id: string }[]; outcomesOf(agent: Agent): Promise<unknown> };
  results: {
    table(results: { rows: Row[] }): string;
    rowOf(agent: Agent, outcomes: unknown): Row;
    wrongOf(rows: Row[], way: string): unknown;
  };
}

const part = async <K extends keyof Bench>(name: K): Promise<Bench[K]> =>
  import(pathToFileURL(join(import.meta.dirname, `../bench/trust/${name}.mjs`)).href);
const [{ CORPUS }, { WAYS, outcomesOf }, { table, rowOf, wrongOf }] = await Promise.all([
  part("corpus"),
  part("ways"),
  part("results"),
]);
const fileOf = (path: string) => readFileSync(join(import.meta.dirname, "..", path), "utf8");
const results: { rows: Row[]; wrong: Record<string, unknown> } = JSON.parse(fileOf("bench/trust/results.json"));

test("the corpus has unique ids, and enough agents in each family", () => {
  expect(new Set(CORPUS.map(({ id }) => id)).size).toBe(CORPUS.length);
  expect(new Set(CORPUS.map(({ title, family }) => family + title)).size).toBe(CORPUS.length);
  const number = (start: string) => CORPUS.filter(({ family }) => family.startsWith(start)).length;
  expect(number("honest")).toBeGreaterThanOrEqual(20);
  expect(number("lazy")).toBeGreaterThanOrEqual(15);
  expect(number("hostile")).toBeGreaterThanOrEqual(40);
  expect(CORPUS.filter(({ family }) => number(family) < 5)).toEqual([]);
});

test("the results are those of this corpus, and docs/trust.md has their table", () => {
  const known = ({ id, family, title }: Agent) => ({ id, family, title });
  expect(results.rows.map(known)).toEqual(CORPUS.map(known));
  expect(results.wrong).toEqual(Object.fromEntries(WAYS.map(({ id }) => [id, wrongOf(results.rows, id)])));
  expect(fileOf("docs/trust.md")).toContain(`\n${table(results)}\n`);
});

const PLAYED = ["honest-plain", "honest-new-test", "lazy-quoted", "lazy-one-of-five", "test-skip", "check-script"];

test.concurrent.each(sample(PLAYED, 2))("%s gives the recorded results", async (id) => {
  const agent = CORPUS.find((one) => one.id === id);
  if (!agent) throw new Error(`${id} is not in the corpus`);
  expect(rowOf(agent, await outcomesOf(agent))).toEqual(results.rows.find((row) => row.id === id));
});

import type { TestCounts } from "../loop/events.ts";
import type { Reader } from "./forms.ts";
import { isFileName, MOST_NAMES, type Part, sumOf, type TestNames, type Times } from "./tally.ts";

/** What JUnit reports say: the counts, and the names. */
export interface Reported {
  counts: TestCounts;
  names: TestNames;
}

const CASE = /<testcase\b((?:[^>"]|"[^"]*")*?)(?:\/>|>([\s\S]*?)<\/testcase>)/g;
const NONE: TestCounts = { ran: 0, passed: 0, failed: 0, skipped: 0 };

/** Reads reports in JUnit's format; null if there is none among the texts. */
export function readJunit(texts: readonly string[]): Reported | null {
  const reports = texts.filter((text) => /<testsuites?\b/.test(text));
  if (reports.length === 0) return null;
  const cases = reports.flatMap(casesIn);
  const times = new Map<string, Times>();
  for (const { name, part, isBroken } of cases.length < MOST_NAMES ? cases : []) {
    if (!isBroken) addTo(times, name, part);
  }
  const counts = cases.map(({ part, isBroken }) => ({ ...one(part), ...(isBroken ? { broken: 1 } : {}) }));
  return { counts: counts.reduce(sumOf, NONE), names: { tests: Object.fromEntries(times), files: {} } };
}

const MOST_CASE = 20_000;

/** A report on standard output. */
export const junitOutput: Reader = (to) => {
  let [open, cases]: [string, Case[]] = ["", []];
  return (line) => {
    if (/^<testsuites?\b/.test(line)) [open, cases] = ["", []];
    open = open !== "" || /^\s*<testcase\b/.test(line) ? `${open}${line}\n`.slice(-MOST_CASE) : "";
    const ended = casesIn(open);
    if (ended.length > 0) open = "";
    for (const one of ended) to.test(one.name, one.part);
    cases.push(...ended);
    if (!/^<\/testsuites?>/.test(line)) return false;
    to.begin();
    for (const { part } of cases) to.add(part, 1);
    cases = [];
    return true;
  };
};

interface Case {
  name: string;
  part: Part;
  isBroken: boolean;
}

const casesIn = (text: string): Case[] =>
  [...text.matchAll(CASE)].map(([, attributes = "", body = ""]) => {
    const [name, group] = [attribute(attributes, "name"), attribute(attributes, "classname")];
    const part = partOf(body);
    // Pytest names a module that it cannot collect instead of its tests.
    const isBroken = part === "failed" && (group === "" || isFileName(name));
    return { name: group === "" ? name : `${group}::${name}`, part, isBroken };
  });

const one = (part: Part): TestCounts => ({ ...NONE, [part]: 1, ran: part === "skipped" ? 0 : 1 });

const partOf = (body: string): Part =>
  /<(?:failure|error)\b/.test(body) ? "failed" : /<skipped\b/.test(body) ? "skipped" : "passed";

function addTo(times: Map<string, Times>, name: string, part: Part): void {
  const [passed, failed, skipped] = times.get(name) ?? [0, 0, 0];
  const { passed: a, failed: b, skipped: c } = one(part);
  times.set(name, [passed + a, failed + b, skipped + c]);
}

const ENTITIES: Readonly<Record<string, string>> = { lt: "<", gt: ">", quot: '"', apos: "'", amp: "&" };

function attribute(attributes: string, name: string): string {
  const text = new RegExp(`(?:^|\\s)${name}="([^"]*)"`).exec(attributes)?.[1] ?? "";
  return text.replace(/&(\w+);/g, (all, entity: string) => ENTITIES[entity] ?? all);
}

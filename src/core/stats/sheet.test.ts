import fc from "fast-check";
import { expect, test } from "vitest";
import { runs } from "../../../test/support/effort.ts";
import { readXml, type XmlElement } from "../../../test/support/xml.ts";
import { widthOf } from "../chart/svg.ts";
import type { StopReason } from "../loop/events.ts";
import { LEVELS } from "../proof/level.ts";
import { NO_AMOUNTS } from "./amounts.ts";
import { htmlOf } from "./page.ts";
import { descriptionOf, svgOf } from "./sheet.ts";
import { STATS_PLACES, type Stats, type TaskStats } from "./stats.ts";
import { noSums } from "./sums.ts";

const WORDS = { scope: "All loops", made: "made by a test" };

const LEVEL_COUNTS = { verified: 40, judged: 3, "still-green": 2, "promise-only": 1 };
const STOPPED: StopReason[] = [...LEVELS, "no-work"];

interface Some {
  titles: readonly string[];
  costUsd?: number;
  reasons?: readonly string[];
  counts?: readonly { iterations: number; loops: number }[];
  days?: number;
}

/** Statistics of this many tasks, each with that title. */
function someStats({ titles, costUsd = 1, reasons = [], counts = [], days = 0 }: Some): Stats {
  const share = { ...NO_AMOUNTS, loops: 1, iterations: 2, costUsd, tokens: 1_000, workMs: 60_000 };
  const tasks = titles.map(
    (title, i): TaskStats => ({
      ...noSums(),
      task: `TASK-${i + 1}`,
      facts: { title, spec: "shop", status: "done", attempt: 1, sentBack: 0 },
      stages: { coder: share, reviewer: share },
      costUsd: 2 * costUsd,
      tokens: 2_000,
    }),
  );
  const max = Math.max(1, ...counts.map(({ iterations }) => iterations));
  const toCompletion = counts.length > 0 ? { counts, median: 1, p90: max, max } : null;
  const n = titles.length;
  return {
    totals: { ...noSums(), loops: 2 * n, costUsd: 2 * n * costUsd, tokens: 2_000 * n, workMs: 120_000 * n },
    tasks,
    own: [],
    stages: n > 0 ? STATS_PLACES.map((place) => ({ ...noSums(), place, toCompletion, levels: LEVEL_COUNTS })) : [],
    iterations: [],
    iterationsLeftOut: 0,
    reasons: reasons.map((name) => ({ kind: "check", name, times: 3 })),
    stops: n > 0 ? STOPPED.map((reason) => ({ reason, loops: n })) : [],
    days: Array.from({ length: days }, (_, i) => ({
      ...share,
      day: new Date(Date.UTC(2026, 0, 1 + i)).toISOString().slice(0, 10),
    })),
  };
}

/** The box that a line of text needs, by our own estimate. */
function boxOf({ attributes, text }: XmlElement) {
  const [x, y, size] = [attributes.x, attributes.y, attributes["font-size"]].map(Number) as [number, number, number];
  const width = widthOf(text, size);
  const left = { start: x, middle: x - width / 2, end: x - width }[attributes["text-anchor"] ?? ""] ?? Number.NaN;
  return { left, right: left + width, top: y - size * 0.8, bottom: y + size * 0.25, text };
}

function boxesIn(svg: string) {
  const elements = readXml(svg);
  const [root] = elements;
  const size = { width: Number(root?.attributes.width), height: Number(root?.attributes.height) };
  return { size, boxes: elements.filter(({ name }) => name === "text").map(boxOf), elements };
}

/** Everything that is written in a picture. */
const textOf = (svg: string): string =>
  boxesIn(svg)
    .boxes.map(({ text }) => text)
    .join(" ");

function expectTidy(svg: string) {
  const { size, boxes } = boxesIn(svg);
  for (const box of boxes) {
    expect(box.left, box.text).toBeGreaterThanOrEqual(0);
    expect(box.right, box.text).toBeLessThanOrEqual(size.width);
    expect(box.top, box.text).toBeGreaterThanOrEqual(0);
    expect(box.bottom, box.text).toBeLessThanOrEqual(size.height);
  }
  const sorted = boxes.filter(({ text }) => text !== "").sort((a, b) => a.top - b.top);
  for (const [i, a] of sorted.entries())
    for (const b of sorted.slice(i + 1)) {
      if (b.top >= a.bottom) break;
      const apart = a.right <= b.left + 0.1 || b.right <= a.left + 0.1;
      expect(apart, `"${a.text}" and "${b.text}" overlap`).toBe(true);
    }
}

test.each<[string, Some]>([
  ["nothing at all", { titles: [] }],
  ["one task", { titles: ["Only one"], counts: [{ iterations: 1, loops: 1 }] }],
  ["7 tasks", { titles: Array.from({ length: 7 }, (_, i) => `Task ${i}`), counts: [{ iterations: 15, loops: 999 }] }],
  ["60 tasks, 60 days", { titles: Array.from({ length: 60 }, (_, i) => `Task ${i}`), days: 60 }],
  [
    "300 long titles, 300 reasons, 900 days, loops of up to 1,000 iterations",
    {
      titles: Array.from({ length: 300 }, () => "W".repeat(400)),
      reasons: Array.from({ length: 300 }, (_, i) => `${i} ${"long ".repeat(50)}`),
      counts: [
        { iterations: 1, loops: 12_345 },
        { iterations: 1_000, loops: 1 },
      ],
      costUsd: 123_456.78,
      days: 900,
    },
  ],
  ["unknown cost", { titles: ["a", "b"], costUsd: 0 }],
])("every text is inside the picture and overlaps no other: %s", (_name, some) => {
  const svg = svgOf(someStats(some), WORDS);
  expectTidy(svg);
  expect(svg).not.toMatch(/NaN|Infinity|undefined/);
});

const anyText = fc.oneof(
  fc.string({ unit: "binary", maxLength: 300 }),
  fc.string({ unit: "grapheme", maxLength: 300 }),
  fc.constantFrom(
    '"><script>alert(1)</script>',
    "]]>",
    "<!--",
    "&lt;",
    "' onload='x",
    "\u202eevil",
    "\ud800",
    "\u0000",
  ),
);

test("any title makes a well-formed picture that contains only drawing elements", () => {
  const known = new Set(["svg", "title", "desc", "style", "rect", "g", "text", "line"]);
  fc.assert(
    fc.property(fc.array(anyText, { maxLength: 5 }), fc.array(anyText, { maxLength: 5 }), (titles, reasons) => {
      const svg = svgOf(someStats({ titles, reasons }), { scope: titles.join(" "), made: "now" });
      expectTidy(svg);
      expect(boxesIn(svg).elements.filter(({ name }) => !known.has(name))).toEqual([]);
    }),
    { numRuns: runs(150) },
  );
});

test("a page is self-contained, and foreign text stays text in it", () => {
  const evil = '<script>alert(1)</script><img src=x onerror="alert(1)">';
  const html = htmlOf(someStats({ titles: [evil], reasons: [evil] }), { scope: `Loops of spec ${evil}`, made: "now" });
  expect(html).not.toMatch(/<script|<img|https?:\/\/(?!www\.w3\.org\/2000\/svg)/);
  expect(html).toContain("&lt;script&gt;alert(1)&lt;/script&gt;");
  expect(html).toContain("default-src 'none'");
  for (const [svg] of html.matchAll(/<svg.*?<\/svg>/gs)) readXml(svg);
  // The tables contain the data of the charts.
  expect(html).toMatch(/<summary>By task<\/summary>[\s\S]*TASK-1/);
});

test("beyond 40 tasks the rest is only counted", () => {
  const svg = svgOf(someStats({ titles: Array.from({ length: 300 }, () => "x") }), WORDS);
  expect(textOf(svg)).toContain("The 40 that took most; 260 more took $520.00 together.");
  expect(svg.match(/>TASK-\d+</g)).toHaveLength(40);
});

/** The colours of the bars in the row of that name, from left to right. */
function coloursOf(svg: string, row: string): string[] {
  const [drawn = ""] = svg.split("<g>").filter((part) => part.includes(`<title>${row}: `));
  return [...(drawn.split("</g>")[0]?.matchAll(/<rect class="(s\d)"/g) ?? [])].map(([, look = ""]) => look);
}

test("every level has its own colour, and only verified is green", () => {
  const svg = svgOf(someStats({ titles: ["x"] }), WORDS);
  const stops = STOPPED.map((reason) => coloursOf(svg, reason));
  expect(stops).toEqual([["s2"], ["s0"], ["s1"], ["s3"], ["s5"]]);
  expect(coloursOf(svg, "conflicts")).toEqual(["s2", "s0", "s1", "s3"]);
  expect(textOf(svg)).toContain("Only verified means that a check failed before the work and passes now.");
});

test("the text alternative counts each level separately", () => {
  const stats = someStats({ titles: ["x"] });
  const totals = { ...stats.totals, levels: { ...LEVEL_COUNTS, verified: 0 } };
  expect(descriptionOf({ ...stats, totals })).toContain("of which 0 verified, 3 judged, 2 still-green, 1 promise-only");
});

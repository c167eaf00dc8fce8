import { expect, test } from "vitest";
import { historiesOf, type PastLoop } from "./history.ts";

const verified = (agent: string, ...iterations: number[]): PastLoop[] =>
  iterations.map((n) => ({ agent, proof: "verified", iterations: n }));
const failed = (agent: string, times: number): PastLoop[] =>
  Array.from({ length: times }, () => ({ agent, proof: null, iterations: 10 }));

test.each<[string, PastLoop[], object]>([
  [
    "too few completed loops suggest nothing",
    [...verified("a", 1, 2, 3, 4), ...failed("a", 9)],
    { loops: 13, completed: 4, verified: 4, iterations: { median: 2, p90: 4, max: 4 }, suggestion: null },
  ],
  [
    "a weaker level counts as completed and not as verified",
    [...verified("a", 1, 2, 3), { agent: "a", proof: "still-green", iterations: 4 }, ...failed("a", 1)],
    { loops: 5, completed: 4, verified: 3, iterations: { median: 2, p90: 4, max: 4 } },
  ],
  [
    "no completed loop at all",
    failed("a", 6),
    { loops: 6, completed: 0, verified: 0, iterations: null, suggestion: null },
  ],
  [
    "loops of one iteration each leave room for another",
    verified("a", 1, 1, 1, 1, 1),
    { iterations: { median: 1, p90: 1, max: 1 }, suggestion: 2 },
  ],
  [
    "one outlier in forty does not raise the suggestion",
    verified("a", ...Array.from({ length: 39 }, () => 4), 30),
    { iterations: { median: 4, p90: 4, max: 30 }, suggestion: 5 },
  ],
  [
    "the number that nine in ten needed, in any order",
    verified("a", 10, 1, 9, 2, 8, 3, 7, 4, 6, 5),
    { iterations: { median: 5, p90: 9, max: 10 }, suggestion: 13 },
  ],
])("%s", (_name, loops, history) => {
  expect(historiesOf(loops)).toEqual([expect.objectContaining({ agent: "a", ...history })]);
});

test("each agent has its own, the busiest first", () => {
  const loops = [...verified("b", 1), ...verified("c", 1, 2), ...verified("a", 3)];
  expect(historiesOf(loops).map(({ agent, loops }) => [agent, loops])).toEqual([
    ["c", 2],
    ["a", 1],
    ["b", 1],
  ]);
});

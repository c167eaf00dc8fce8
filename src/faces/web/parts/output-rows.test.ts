import { expect, test } from "vitest";
import { outputRows, textOf } from "./output-rows.ts";

const piece = (iteration: number, text: string) => ({ iteration, attempt: 1, text });

test("lines of iterations, filtered and wrapped, with what has not ended", () => {
  const output = outputRows({ filter: "", columns: 80 });
  const shown = () => Array.from({ length: output.size() }, (_, i) => textOf(output.at(i)));
  output.add([piece(1, "alpha beta\ngam"), piece(1, "ma\n"), piece(2, "BETA\nopen")]);
  expect(shown()).toEqual(["── iteration 1 ──", "alpha beta", "gamma", "── iteration 2 ──", "BETA", "open"]);
  output.show({ filter: "beta", columns: 80 });
  expect(shown()).toEqual(["alpha beta", "BETA", "open"]);
  output.add([piece(2, " beta\nno\n")]);
  expect(shown()).toEqual(["alpha beta", "BETA", "open beta"]);
  expect(output.lines()).toEqual({ all: 7, found: 3, dropped: 0 });
  output.show({ filter: "", columns: 6 });
  expect(shown().slice(-4)).toEqual(["BETA", "open ", "beta", "no"]);
  expect(output.text()).toContain("alpha beta\ngamma\n");
});

test("100,000 lines are read in pieces", () => {
  const output = outputRows({ filter: "", columns: 80 });
  for (let i = 0; i < 100; i++) output.add([piece(1, `${"line of output\n".repeat(1_000)}`)]);
  expect(output.size()).toBe(100_001);
});

import { expect, test } from "vitest";
import { allowLines, allowWords, refusalCounter, refusedParts, refusedWords } from "./refusals.ts";

test("refused tools are counted, a shell with its command, and the list is bounded", () => {
  const counter = refusalCounter();
  const calls: [string, string][] = [
    ["Edit", "a.ts"],
    ["Edit", "b.ts"],
    ["Bash", "npm test"],
    ["Bash", "x".repeat(100)],
    ...Array.from({ length: 20 }, (_, i): [string, string] => ["Bash", `echo ${i}`]),
  ];
  for (const [name, input] of calls) counter.add(name, input);
  const tools = counter.tools();
  expect(tools.length).toBeLessThanOrEqual(7);
  expect(refusedWords(tools)).toBe(
    "24 tools: Edit (2), Bash: npm test (1), Bash (1), Bash: echo 0 (1), Bash: echo 1 (1), Bash: echo 2 (1), others (17)",
  );
  expect(refusedWords([{ tool: "Edit", times: 1 }])).toBe("1 tool: Edit (1)");
});

test("a long command is cut to its program and subcommand", () => {
  const counter = refusalCounter();
  counter.add("Bash", `cd /tmp/x && git push ${"y".repeat(90)}`);
  counter.add("Bash", `node -e "${"y".repeat(90)}"`);
  expect(counter.tools()).toEqual([
    { tool: "Bash: git push …", times: 1 },
    { tool: "Bash: node -e …", times: 1 },
  ]);
  expect(counter.tools().map(refusedParts)).toEqual([
    { name: "Bash", command: "git push" },
    { name: "Bash", command: "node -e" },
  ]);
});

test("a refused tool is read back", () => {
  expect(refusedParts({ tool: "Bash: npm run a:b", times: 1 })).toEqual({ name: "Bash", command: "npm run a:b" });
  expect(refusedParts({ tool: "mcp: x", times: 1 })).toEqual({ name: "mcp: x", command: null });
});

test("flags are shown as they are typed", () => {
  const allow = ["--allowedTools", "Bash(npm test:*)"];
  expect(allowWords({ tools: [], allow })).toBe('-- --allowedTools "Bash(npm test:*)"');
  expect(allowWords({ tools: [], allow, everything: true })).toContain("   # allows everything: only in a sandbox");
  expect(allowLines({ tools: [], allow, unproposed: ["Bash(git push)"] }, "one")).toEqual([
    'to allow that: ralph resume one -- --allowedTools "Bash(npm test:*)"',
    "not proposed by Ralph; if you want it: Bash(git push)",
  ]);
  expect(allowLines({ tools: [], allow }, null)).toEqual([
    `to allow that: add to the agent's flags: ["--allowedTools Bash(npm test:*)"]`,
  ]);
});

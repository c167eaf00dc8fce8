import { expect, test } from "vitest";
import { firstSteps, GROUPS } from "./groups.ts";
import { buildProgram } from "./program.ts";

function helpAt(width: number): string {
  const written: string[] = [];
  const program = buildProgram(() => async () => undefined, {
    writeOut: (text) => void written.push(text),
    getOutHelpWidth: () => width,
  });
  program.outputHelp();
  return written.join("");
}

test("every command is in a group, and the usual ones come first", () => {
  const program = buildProgram(() => async () => undefined);
  const shown = program.createHelp().visibleCommands(program);
  expect(shown.map((command) => [command.name(), command.helpGroup()]).filter(([, group]) => !group)).toEqual([]);
  const names = shown.map((command) => command.name());
  expect(names).toEqual(
    Object.values(GROUPS)
      .flat()
      .filter((name) => names.includes(name)),
  );
  const headings = [...helpAt(80).matchAll(/^(\S.*:)$/gm)].map(([, heading]) => heading);
  expect(headings).toEqual([...Object.keys(GROUPS), "Options:", "Examples:"]);
});

test("help and the first steps fit into 60 columns", () => {
  for (const text of [helpAt(60), firstSteps("npx ralph")])
    expect(text.split("\n").filter((line) => line.length > 60)).toEqual([]);
  expect(firstSteps("npx ralph").split("\n").length).toBeLessThan(13);
});

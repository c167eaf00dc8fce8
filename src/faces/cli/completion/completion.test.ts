import { describe, expect, test } from "vitest";
import { sampleProgram } from "../../../../test/support/sample-program.ts";
import { buildProgram } from "../program/program.ts";
import { bashCompletion } from "./bash.ts";
import { fishCompletion } from "./fish.ts";
import { type CommandShape, shapesOf } from "./shape.ts";
import { zshCompletion } from "./zsh.ts";

describe("shapes", () => {
  const shapes = shapesOf(sampleProgram());
  const at = (path: string) => shapes.find((shape) => shape.path === path);

  test("every command has its own, nested ones by their path, hidden ones none", () => {
    expect(shapes.map(({ path }) => path)).toEqual(["", "run", "task", "task add-one", "task help", "help"]);
  });

  test("options have their names and the kind of their value", () => {
    const values = at("run")?.options.map(({ names, value }) => [names.join(), value?.is ?? null]);
    expect(values).toEqual([
      ["-m,--max", "text"],
      ["--file", "file"],
      ["--agent", "program"],
      ["--json", null],
      ["--context", "choices"],
      ["-h,--help", null],
    ]);
  });

  test("so do arguments", () => {
    expect(at("run")?.arguments).toEqual([{ is: "loop" }]);
    expect(at("task add-one")?.arguments).toEqual([{ is: "text" }, { is: "choices", words: ["a", "b"] }]);
    expect(at("help")?.arguments).toEqual([{ is: "choices", words: ["run", "task"] }]);
  });
});

describe("foreign text stays quoted", () => {
  const shapes = shapesOf(sampleProgram());
  test("zsh", () => expect(zshCompletion(shapes)).toContain(`'run:it'\\''s [a] run: \`x\`'`));
  test("fish", () => expect(fishCompletion(shapes)).toContain("-a run -d 'it\\'s [a] run: `x`'"));
});

const shapes = shapesOf(buildProgram(() => async () => undefined));
const [zsh, fish, bash] = [zshCompletion(shapes), fishCompletion(shapes), bashCompletion(shapes)];
const commands = shapes.filter(({ path }) => path !== "");

describe.each<[string, CommandShape]>(commands.map((shape) => [shape.path, shape]))("ralph %s", (path, shape) => {
  const steps = path.split(" ");
  const name = steps.at(-1) ?? "";
  const above = steps.slice(0, -1).join(" ");
  const functionName = `_ralph_${path.replace(/[ -]/g, "_")}`;
  /** The body of this command's function. */
  const zshPart = zsh.split(`\n${functionName}() {\n`)[1]?.split("\n}\n")[0] ?? "";
  const fishPart = fish.split("\n").filter((line) => line.includes(`'__ralph_at \\'${path}\\'`));
  const bashPart = bash.split("\n").find((line) => line.startsWith(`      '${path}') _ralph_words`)) ?? "";

  test("is offered, and its own completion reached", () => {
    expect(zsh).toContain(`'${name}:`);
    expect(zsh).toContain(`${name}) ${functionName} ;;`);
    expect(zshPart).not.toBe("");
    expect(fish).toContain(`-n '__ralph_at \\'${above}\\'' -a ${name} -d '`);
    expect(bash).toContain(`'${above} ${name}'`);
  });

  test.each(
    shape.options.flatMap(({ names, value }) => names.map((option) => ({ option, value }))),
  )("offers $option, and its value", ({ option, value }) => {
    const long = option.startsWith("--");
    expect(zshPart).toContain(value === null ? `)${option}[` : `'*${option}${long ? "=" : "+"}[`);
    const line = fishPart.find((text) => text.includes(long ? ` -l ${option.slice(2)} ` : ` -s ${option.slice(1)} `));
    expect(line?.includes(" -r ")).toBe(value !== null);
    expect(bashPart).toMatch(new RegExp(`[' ]${option}[' ]`));
    if (value?.is !== "choices") return;
    expect(zshPart).toContain(`:(${value.words.join(" ")})`);
    expect(line).toContain(`-a '${value.words.join(" ")}'`);
  });

  test.each(["loop", "task", "workflow", "run"] as const)("offers every %s as an argument", (kind) => {
    const named = shape.arguments.some(({ is }) => is === kind);
    expect(zshPart.includes(`:${kind}:__ralph_${kind}s'`)).toBe(
      named || shape.options.some(({ value }) => value?.is === kind),
    );
    expect(fishPart.some((line) => line.endsWith(`'' -f -a '(__ralph_${kind}s)'`))).toBe(named);
  });
});

import fc from "fast-check";
import { expect, test } from "vitest";
import { type Size, screenOf } from "../../../../test/support/terminal.ts";
import { openScreen, type Screen } from "./screen.ts";

type Step = (screen: Screen) => void;

const show = (output: string | Buffer): Step => {
  return (screen) => void screen.show(output);
};
const tell = (line: string): Step => {
  return (screen) => screen.tell(line);
};
const draw = (text = "status"): Step => {
  return (screen) => screen.draw(text);
};
const erase: Step = (screen) => screen.erase();

/** The content of a terminal after the steps. */
function play(steps: readonly Step[], size: Size = { columns: 12, rows: 5 }): string[] {
  const printed: Buffer[] = [];
  const write = (output: Buffer | string) => void printed.push(Buffer.from(output));
  const screen = openScreen({ out: (output) => write(output), err: write, size: () => size, isBusy: () => false });
  for (const step of steps) step(screen);
  return screenOf(Buffer.concat(printed).toString(), size);
}

test.each<[string, Step[], string[]]>([
  ["on an empty screen", [draw()], ["status"]],
  ["in place of the previous one", [draw("the first"), draw("2nd")], ["2nd"]],
  ["below complete lines", [show("one\n"), draw()], ["one", "status"]],
  ["below an incomplete line", [show("one"), draw(), draw()], ["one", "status"]],
  ["below a coloured line", [show("\u001b[31mone"), draw()], ["one", "status"]],
  ["below a full screen", [show("1\n2\n3\n4\n5"), draw()], ["1", "2", "3", "4", "5", "status"]],
  ["not below a line that fills the terminal", [show("123456789012"), draw()], ["123456789012"]],
  ["not inside a sequence", [show("one\u001b[3"), draw(), show("1mtwo")], ["onetwo"]],
  ["not inside a character", [show(Buffer.from([0xc3])), draw(), show(Buffer.from([0xbc]))], ["ü"]],
  ["not after a cursor movement", [show("50%\r"), draw()], ["50%"]],
  ["of several lines below complete lines", [show("one\n"), draw("a\nb")], ["one", "a", "b"]],
  ["of several lines below an incomplete line", [show("one"), draw("a\nb"), draw("c\nd")], ["one", "c", "d"]],
  ["of several lines below a full screen", [show("1\n2\n3\n4\n5"), draw("a\nb")], ["1", "2", "3", "4", "5", "a", "b"]],
  ["of fewer lines in place of more", [draw("a\nb\nc"), draw("d")], ["d"]],
  ["again below Ralph's own lines", [draw("a\nb"), tell("one"), tell("two")], ["one", "two", "a", "b"]],
  ["not over one of Ralph's own lines", [draw(), tell("✓ done"), draw("")], ["✓ done"]],
])("a status line is drawn %s", (_name, steps, lines) => expect(play(steps)).toEqual(lines));

test.each<[string, Step[], string[]]>([
  ["continues in place", [show("Run"), draw(), show("ning"), draw(), show(" ok\n"), erase], ["Running ok"]],
  [
    "is not joined to Ralph's own lines",
    [show("one"), draw(), tell("two"), show("three"), erase],
    ["one", "two", "three"],
  ],
])("a line of the agent %s", (_name, steps, lines) => expect(play(steps)).toEqual(lines));

test("nothing of a status line is left behind, for any output and any time of drawing", () => {
  const texts = ["\n", "\r", "\u001b[31m", "\u001b[0m\n", "日本", "x".repeat(11), "x".repeat(12), "done\r\n", " ", "ü"];
  /** A text in two pieces, cut between any two bytes. */
  const shown = fc.tuple(fc.constantFrom(...texts), fc.nat(12)).map(([text, at]) => {
    const bytes = Buffer.from(text);
    return [show(bytes.subarray(0, at)), show(bytes.subarray(at))];
  });
  const told = fc.constantFrom("own", "own line").map((line) => [tell(line)]);
  const printed = fc.array(fc.oneof({ weight: 5, arbitrary: shown }, { weight: 1, arbitrary: told }), {
    maxLength: 15,
  });
  const draws = fc.infiniteStream(fc.constantFrom("", "", "s", "status", "a\nb", "a\nb\nc"));
  const size = fc.record({ columns: fc.constant(12), rows: fc.integer({ min: 1, max: 6 }) });
  fc.assert(
    fc.property(printed, draws, size, (printed, draws, size) => {
      const steps = printed.flat();
      const drawn = steps.flatMap((step) => [draw(draws.next().value), step]);
      expect(play([...drawn, draw(), erase], size)).toEqual(play(steps, size));
    }),
    { numRuns: 2_000 },
  );
});

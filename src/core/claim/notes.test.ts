import fc from "fast-check";
import { expect, test } from "vitest";
import { runs } from "../../../test/support/effort.ts";
import { readClaim } from "./message.ts";
import { MOST_NOTES, NOTE_CHARS, withoutNotes } from "./notes.ts";
import { presets } from "./policy.ts";
import { watchClaims } from "./watch.ts";

const policy = presets.harness("DONE");
const notes = (text: string, prompt = "") => readClaim(text, policy, { prompt }).notes ?? [];

test.each<[string, string, string[]]>([
  ["one", "Working. <note>The parser needs node 20.</note> More.", ["The parser needs node 20."]],
  ["several", "<note>a</note>\n<NOTE >b</Note>", ["a", "b"]],
  ["one of several lines, on one line", "<note>\n- a\n\n- b\n</note>", ["- a - b"]],
  ["with colours", "<note>\u001b[31mred\u001b[0m</note>", ["red"]],
  ["without secrets", "<note>use --token abc123 and sk-abcdefghijkl</note>", ["use --token *** and ***"]],
  ["in a list and in a sentence", "- <note>a</note>\nAnd so: <note>b</note>", ["a", "b"]],
  [
    "in words with apostrophes",
    "It's done. <note>Don't touch x, it's generated</note> That's it.",
    ["Don't touch x, it's generated"],
  ],
  ["with tags in it", "<note>say <promise>DONE</promise></note>", ["say <promise>DONE</promise>"]],
  ["opened twice", "<note>a <note>b</note>", ["b"]],
  ["empty", "<note></note> <note> … </note> <note>...</note>", []],
  ["not closed", "<note>a", []],
  ["closed only", "a</note>", []],
  ["of another name", "<notes>a</notes> <note-x>b</note-x>", []],
  ["in inline code", "Write `<note>a</note>` for that.", []],
  ["in a fence", "```\n<note>a</note>\n```", []],
  ["after a fence", "```\ncode\n```\n<note>a</note>", ["a"]],
  ["in a block quote", "> <note>a</note>", []],
  ["in quotation marks", 'The user said "<note>a</note>".', []],
  ["in a diff, a table and a listing", "+<note>a</note>\n| <note>b</note> |\n12: <note>c</note>", []],
  ["escaped", "\\<note>a</note>", []],
  ["commented out", "<!-- <note>a</note> -->", []],
  ["too long ago", `<note>${"x".repeat(5_000)}</note> <note>a</note>`, ["a"]],
])("notes: %s", (_name, text, found) => expect(notes(text)).toEqual(found));

test("an echo of the prompt is no note, the same words are", () => {
  const prompt = "Leave notes such as <note>The parser is slow.</note> The parser is slow.";
  expect(notes("Leave notes such as <note>The parser is slow.</note>", prompt)).toEqual([]);
  expect(notes("<note>Parser is slow</note>", prompt)).toEqual(["Parser is slow"]);
});

test("their number and length are limited", () => {
  const many = Array.from({ length: 99 }, (_, i) => `<note>${i} ${"x".repeat(1_000)}</note>`).join("\n");
  expect(notes(many)).toHaveLength(MOST_NOTES);
  expect(notes(many)[0]).toHaveLength(NOTE_CHARS);
});

test("notes of all messages count, and a tool call between them changes nothing", () => {
  const watch = watchClaims(policy);
  watch.say("<note>a</note>");
  watch.toolCalled();
  watch.say("<note>b");
  watch.endMessage();
  watch.say("c</note> <note>d</note>");
  expect(watch.finish().notes).toEqual(["a", "d"]);
});

const PIECES = [
  "<note>",
  "</note>",
  "<no",
  "te>",
  "a",
  " b\n",
  "```\n",
  "`",
  "x".repeat(40_000),
  "<promise>DONE</promise>",
];

test("the same notes however the text arrives", () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(...PIECES), { maxLength: 12 }),
      fc.integer({ min: 1, max: 50_000 }),
      (pieces, size) => {
        const text = pieces.join("");
        const watch = watchClaims(policy);
        for (let at = 0; at < text.length; at += size) watch.say(text.slice(at, at + size));
        expect(watch.finish()).toEqual(readClaim(text, policy));
      },
    ),
    { numRuns: runs(300) },
  );
});

test("a flood of tags is read fast", () => {
  expect(notes("<note>".repeat(200_000))).toEqual([]);
  expect(notes("</note>".repeat(200_000))).toEqual([]);
  expect(withoutNotes("<note>".repeat(20_000))).toHaveLength(120_000);
});

test("a message without its notes", () => {
  expect(withoutNotes("a <note>b\nc</note> d <note>e")).toBe("a  d <note>e");
});

import fc from "fast-check";
import { expect, test } from "vitest";
import { locationsIn, sameButNamed, withoutFolders } from "./location.ts";

const FOLDERS = [
  { name: "state", path: "/home/me/work/.state" },
  { name: "checkout/work-1", path: "/home/me/work" },
];
const here = locationsIn(FOLDERS);
const there = locationsIn(FOLDERS.map(({ name, path }) => ({ name, path: path.replace("/home/me", "/srv/you") })));

test.each([
  ["the checkout", "/home/me/work", "ralph:checkout/work-1"],
  ["below it", "/home/me/work/src/a b.ts", "ralph:checkout/work-1/src/a b.ts"],
  ["the state folder inside it", "/home/me/work/.state/loops/x", "ralph:state/loops/x"],
  ["a sibling with the same prefix", "/home/me/work2/a", "/home/me/work2/a"],
  ["a text that names a path", "see /home/me/work/a", "see /home/me/work/a"],
  ["a text that looks like a name", "ralph:state/loops/x", "ralph:text/ralph:state/loops/x"],
])("names %s", (_what, text, name) => {
  expect(here.named({ cwd: text })).toEqual({ cwd: name });
  expect(here.located({ cwd: name })).toEqual({ cwd: text });
});

test("names only the fields that are locations: other texts of a state may contain similar text", () => {
  const text = {
    excerpt: "/home/me/work/a: 5 lines",
    path: "/home/me/work/a",
    log: { path: "/home/me/work/.state/x" },
  };
  expect(here.named(text)).toEqual({ ...text, log: { path: "ralph:state/x" } });
  expect(here.named({ agents: [{ command: "/home/me/work/a" }], guards: [{ command: "/home/me/work/a" }] })).toEqual({
    agents: [{ command: "ralph:checkout/work-1/a" }],
    guards: [{ command: "/home/me/work/a" }],
  });
  expect(here.named({ flags: ["/home/me/work/a", "-v"] })).toEqual({ flags: ["ralph:checkout/work-1/a", "-v"] });
});

test("resolves names on reading, and leaves paths of earlier journals unchanged", () => {
  const event = { type: "x", spec: { cwd: "/home/me/work", n: 1 }, log: ["/home/me/work/.state/a", null] };
  const moved = { type: "x", spec: { cwd: "/srv/you/work", n: 1 }, log: ["/srv/you/work/.state/a", null] };
  expect(there.located(here.named(event))).toEqual(moved);
  expect(there.located(event)).toBe(event);
  expect(there.located({ log: "ralph:checkout/other-2/a" })).toEqual({ log: "ralph:checkout/other-2/a" });
});

test("paths in a text for people become relative", () => {
  const folders = FOLDERS.map(({ path }) => path);
  expect(withoutFolders("see '/home/me/work/.state/a.log' and /home/me/work/b", folders)).toBe("see 'a.log' and b");
  expect(withoutFolders("/etc/hosts, /home/me/work", [...folders, "/"])).toBe("/etc/hosts, /home/me/work");
});

test("the root of the file system names nothing", () => {
  expect(locationsIn([{ name: "checkout/root", path: "/" }]).named({ cwd: "/etc/hosts" })).toEqual({
    cwd: "/etc/hosts",
  });
});

test("looks up an unknown name again", () => {
  const late = locationsIn([], () => FOLDERS);
  expect(late.located({ log: "ralph:checkout/work-1/a" })).toEqual({ log: "/home/me/work/a" });
});

test("a named location resolves to the original", () => {
  const text = fc.oneof(
    fc.string(),
    fc
      .constantFrom("ralph:", "ralph:text/", "ralph:state", "/home/me/work")
      .chain((a) => fc.string().map((b) => a + b)),
  );
  const values = fc.jsonValue({ stringUnit: "grapheme" });
  fc.assert(
    fc.property(fc.oneof(text, values), (value) => {
      expect(here.located(here.named({ cwd: value, value }))).toEqual({ cwd: value, value });
    }),
  );
});

test.each([
  [{ log: "/old/state/loops/x" }, { log: "ralph:state/loops/x" }, true],
  [{ cwd: "/old/work" }, { cwd: "ralph:checkout/work-1" }, true],
  [[{ log: "/old/state/loops/y" }], [{ log: "ralph:state/loops/x" }], false],
  [{ n: 1, log: null }, { n: 1 }, false],
  [{ n: 1 }, { n: 2 }, false],
])("compares %j with %j", (a, b, same) => {
  expect(sameButNamed(a, b)).toBe(same);
  expect(sameButNamed(b, a)).toBe(same);
});

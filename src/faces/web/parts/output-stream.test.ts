import { expect, test } from "vitest";
import { followOutput, type OutputState, type Piece } from "./output-stream.ts";

const line = (iteration: number, text: string): string => `${JSON.stringify({ iteration, attempt: 1, text })}\n`;

/** Follows these connections one after the other; each is a list of chunks, and `null` breaks it. */
async function follow(connections: readonly (readonly (string | null)[])[], isLive: (opened: number) => boolean) {
  const pieces: Piece[] = [];
  const states: OutputState[] = [];
  let opened = 0;
  await new Promise<void>((done) => {
    const following = followOutput({
      async *open() {
        for (const chunk of connections[opened++] ?? []) {
          if (chunk === null) throw new Error("connection reset");
          yield chunk;
        }
      },
      onPieces: (more) => pieces.push(...more),
      onState(state) {
        states.push(state);
        if (state === "complete") {
          following.close();
          done();
        }
      },
      isLive: () => isLive(opened),
      isShown: () => true,
      backoffMs: [0],
    });
  });
  return { states, text: pieces.map(({ iteration, text }) => `${iteration}:${text}`).join("|") };
}

test("lines may be cut anywhere", async () => {
  const [first, second] = [line(1, "one\n"), line(2, "two")];
  const chunks = [first.slice(0, 9), first.slice(9) + second.slice(0, 20), second.slice(20)];
  expect(await follow([chunks], () => false)).toEqual({ states: ["reading", "complete"], text: "1:one\n|2:two" });
});

test("after a lost connection it continues where it was, even if the server cuts the output differently", async () => {
  const connections = [
    [line(1, "abc"), line(1, "def"), null],
    [line(1, "abcd"), line(1, "efgh"), line(2, "x")],
  ];
  expect(await follow(connections, () => false)).toEqual({
    states: ["reading", "lost", "reading", "complete"],
    text: "1:abc|1:def|1:gh|2:x",
  });
});

test("a loop that still runs is followed after its stream has ended", async () => {
  const connections = [[line(1, "a")], [line(1, "ab")]];
  expect((await follow(connections, (opened) => opened < 2)).text).toBe("1:a|1:b");
});

test("a hidden page has no connection, and reads on when it is shown", async () => {
  let isShown = true;
  let aborted = 0;
  let opened = 0;
  const got: string[] = [];
  await new Promise<void>((done) => {
    const following = followOutput({
      async *open(quit) {
        opened++;
        yield line(1, opened === 1 ? "a" : "ab");
        if (opened > 1) return;
        isShown = false;
        queueMicrotask(() => following.changed());
        await new Promise<void>((_, fail) => quit.addEventListener("abort", () => fail(new Error("aborted"))));
      },
      onPieces: (pieces) => got.push(...pieces.map(({ text }) => text)),
      onState: (state) => {
        if (state === "complete") {
          following.close();
          done();
        }
      },
      isLive: () => false,
      isShown: () => {
        if (!isShown) {
          aborted++;
          queueMicrotask(() => {
            isShown = true;
            following.changed();
          });
        }
        return isShown;
      },
      backoffMs: [0],
    });
  });
  expect(got).toEqual(["a", "b"]);
  expect(opened).toBe(2);
  expect(aborted).toBeGreaterThan(0);
});

// The row about the feed: reading from an id must take the same time however long the feed is.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { compare } from "./measure.mjs";
import { openStore } from "./tasks.mjs";

const PAGE = 1_000;

const started = {
  type: "run.started",
  workflow: {
    name: "w",
    description: "",
    triggers: [],
    provider: null,
    model: null,
    form: "steps",
    parts: [],
    file: "",
  },
  message: "",
  conversation: null,
  cwd: "/",
  values: {},
  agent: null,
};

async function fill({ runs }, entries) {
  const run = await runs.create("run", started, 1);
  const event = { type: "iteration.began", part: 0, n: 1, maxIterations: PAGE };
  for (let { seq, seal } = run; seq < entries; ) {
    const page = Array.from({ length: PAGE }, () => ({ run: "run", seq: ++seq, epoch: 0, atMs: 1, event }));
    seal = await runs.append({ ...run, seq: seq - PAGE, seal }, page, run.state);
  }
}

/** Reads the last page. */
async function reading({ feed }) {
  const from = (await feed.last()) - PAGE;
  const began = performance.now();
  const page = await feed.after(from, PAGE);
  if (page.length !== PAGE) throw new Error(`the feed gave ${page.length} entries`);
  return performance.now() - began;
}

/** Measures and adds the row. */
export const feedRow = ({ sandbox, row, times }) =>
  openStore(async (open) => {
    const stores = [];
    for (const [name, entries] of [
      ["short-feed", PAGE],
      ["long-feed", 100 * PAGE],
    ]) {
      const { env } = sandbox(name);
      mkdirSync(env.RALPH_STATE_DIR, { recursive: true });
      const store = await open(join(env.RALPH_STATE_DIR, "ralph.db"));
      await fill(store, entries);
      stores.push(store);
    }
    const [short, long] = stores;
    const read = await compare(
      15,
      () => reading(short),
      () => reading(long),
    );
    row(
      "reading the last 1,000 entries of a feed of 100,000 against one of 1,000",
      `${times(read.ratio)} (${read.ours.toFixed(2)} ms : ${read.base.toFixed(2)} ms)`,
      "≤ 3.00 ×, ≤ 50 ms",
      read.ratio <= 3 && read.ours <= 50,
    );
    for (const store of stores) store.close();
  });

import fc from "fast-check";
import { expect, test } from "vitest";
import { stripAnsi } from "../src/core/ansi.ts";
import { dollars } from "../src/core/usage.ts";
import { type BoardView, lanesOf, NO_VIEW } from "../src/core/view/board.ts";
import type { Card } from "../src/core/view/card.ts";
import { LANES } from "../src/core/view/lanes.ts";
import { totalsOf } from "../src/core/view/totals.ts";
import { lanePlaces } from "../src/faces/board/board-rows.ts";
import { frame } from "../src/faces/board/frame.ts";
import { lanesIn, openingState } from "../src/faces/board/state.ts";
import { footerLines } from "../src/faces/cli/live/execution-footer.ts";
import type { Row } from "../src/faces/terminal/frame.ts";
import { runs } from "./support/effort.ts";
import { boardView, cardLike, NOW } from "./support/views.ts";

/** The page is compiled for browsers, apart from everything else: the compiler does not follow these names. */
const page = (name: string) => import(name);
const { Board } = await page("../src/faces/web/pages/board.tsx");
const { view: shownView } = await page("../src/faces/web/live.ts");
const { h } = await page("preact");
const { renderToString } = await page("preact-render-to-string");

/** What a face shows of a view. */
interface Seen {
  lanes: { title: string; cards: { id: string; badge: string; proved: string; cost: string }[] }[];
  merged: string;
  blocked: number;
  /** Of each execution: the number of the slot, the task and its badge. */
  slots: string[][];
  /** Of each execution, in order. */
  merging: string[][];
}

/** Wide and tall enough for everything at once. */
const SIZE = { columns: 1_600, rows: 700 };

const views = boardView.map(
  (view): BoardView => ({
    ...view,
    cards: view.cards.map((card) => ({ ...card, title: card.title.slice(0, 40), why: "" })),
    executions: view.executions.map((one, i) => ({ ...one, holder: { pid: i + 1, machine: "here" } })),
  }),
);

const text = (row: Row): string => row.map((segment) => stripAnsi(segment.text)).join(" ");
const blockedIn = (words: string): number => Number(/(\d+) blocked/.exec(words)?.[1] ?? 0);
const mergedIn = (words: string): string => /\d+\/\d+ merged/.exec(words)?.[0] ?? "";

function onTerminal(view: BoardView): Omit<Seen, "slots" | "merging"> & { slots: string[]; merging: string[] } {
  const state = openingState(view, { repository: "shop", spec: null, nowMs: NOW });
  const rows = frame(state, SIZE);
  const [header = []] = rows;
  const panel = rows.findIndex((row) => /─ Agents |^─+ .*Agents /.test(text(row)));
  const lanes = lanePlaces(state.lane, SIZE.columns).map(({ lane, x, width }) => {
    const own = rows
      .slice(1, panel)
      .map((row) => row.filter(({ column }) => column >= x && column < x + width).map((one) => stripAnsi(one.text)));
    const boxes = own.flatMap(([edge = ""], y) => (/^[┌┏]/.test(edge) ? [own.slice(y + 1)] : []));
    const inside = boxes.map((lines) =>
      lines.slice(
        0,
        lines.findIndex(([edge = ""]) => /^[└┗]/.test(edge)),
      ),
    );
    const cards = inside.map((lines) => {
      const [, id = "", facts = ""] = lines[0] ?? [];
      // Nothing but the border follows a badge without criteria.
      const [, badge = "", ...others] = lines.at(-1) ?? [];
      return { id, badge, proved: others.length > 1 ? (others[0] ?? "") : "", cost: /^\$\S+/.exec(facts)?.[0] ?? "" };
    });
    return { title: (own[0]?.[0] ?? lane).trim(), cards };
  });
  const agents = rows.slice(panel).flatMap((row) => row.map((one) => stripAnsi(one.text)));
  const merging = /merging (.*)$/.exec(text(rows[panel] ?? []))?.[1]?.trim() ?? "";
  return {
    lanes,
    merged: mergedIn(text(header)),
    blocked: blockedIn(text(header)),
    slots: agents.flatMap((line, i) => {
      const n = /^Slot (\d+):/.exec(line)?.[1];
      return n === undefined || line.endsWith("free") ? [] : [`${n} ${taskAfter(agents, i)}`];
    }),
    merging: merging === "" ? [] : merging.split(/, then |, /),
  };
}

/** The task in the same box: the boxes of a row stand side by side, so the lines of all heads come first. */
function taskAfter(agents: readonly string[], head: number): string {
  const heads = agents.flatMap((line, i) => (/^(Slot \d+|Task|Loop \S+|Run \S+): ?/.test(line) ? [i] : []));
  const names = agents.flatMap((line) => /^ {2}Task: (\S+)/.exec(line)?.[1] ?? []);
  const withTask = heads.filter((i) => /^(Slot|Task)/.test(agents[i] ?? "") && !agents[i]?.endsWith("free"));
  return names[withTask.indexOf(head)] ?? "";
}

function inFooters(view: BoardView): Pick<Seen, "slots" | "merged" | "blocked"> {
  const about = { view, startedMs: NOW, only: null, spec: null, spentUsd: 0 };
  const footers = view.executions.map((_, i) => footerLines({ ...about, pid: i + 1 }, NOW, SIZE).map(stripAnsi));
  const totals = footers[0]?.at(-1) ?? "";
  return {
    slots: footers.map((lines) =>
      lines.slice(0, -1).map((line) => /^ (\d+) (\S+)/.exec(line)?.slice(1, 3).join(" ") ?? ""),
    ),
    merged: mergedIn(totals),
    blocked: blockedIn(totals),
  };
}

function inBrowser(view: BoardView): Seen {
  shownView.value = view;
  const html: string = renderToString(h(Board, {}));
  const parts = (of: string, opening: RegExp) => of.split(opening).slice(1);
  const first = (of: string, pattern: RegExp) => plain(pattern.exec(of)?.[1] ?? "");
  const lanes = parts(html, /<section class="lane[^>]*>/).map((lane) => ({
    title: first(lane, /<h2[^>]*>(.*?)<\/h2>/s),
    cards: parts(lane, /(?=<li class="card )/).map((card) => ({
      id: first(card, /data-card="([^"]*)"/),
      badge: first(card, /class="badge[^>]*>(.*?)<\/span>/s),
      proved: first(card, /aria-hidden="true">(\d+\/\d+)</),
      cost: first(card, /<span>(\$[^<]*)</),
    })),
  }));
  const head = first(html, /<p class="soft page-sub">(.*?)<\/p>/s);
  const executions = parts(html.split("</section>")[0] ?? "", /<div class="execution">/);
  return {
    lanes,
    merged: mergedIn(head),
    blocked: blockedIn(head),
    slots: executions.map((one) =>
      parts(one.split("</ol>")[0] ?? "", /(?=<li class="slot)/).flatMap((slot) => {
        const id = first(slot, /<a [^>]*>(.*?)<\/a>/s);
        return id === "" ? [] : [`${first(slot, /<span class="soft">(\d+)</)} ${id}`];
      }),
    ),
    merging: executions.map((one) =>
      parts(one.split('<p class="merging">')[1] ?? "", /(?=<a )/).map((link) =>
        first(link, /<a [^>]*>(.*?)<\/a>/s).replace(" (merging)", ""),
      ),
    ),
  };
}

const plain = (html: string): string =>
  html
    .replace(/<[^>]*>/g, "")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&");

/** What the view itself says. */
const expected = (view: BoardView): Seen["lanes"] =>
  LANES.map((lane) => {
    const cards = lanesOf(view.cards)[lane];
    const state = openingState(view, { repository: "", spec: null, nowMs: NOW });
    expect(lanesIn(state)[lane].map(({ id }) => id)).toEqual(cards.map(({ id }) => id));
    return {
      title: "",
      cards: cards.map(({ id, badge, proved, costUsd }) => ({
        id,
        badge,
        proved: proved ? `${proved.proved}/${proved.of}` : "",
        cost: costUsd > 0 ? dollars(costUsd) : "",
      })),
    };
  });

const viewOf = (cards: readonly Card[]): BoardView => ({ ...NO_VIEW, cards, totals: totalsOf(cards, []) });

test("all faces draw the same view: tasks, lanes, order, badges and numbers", () => {
  fc.assert(
    fc.property(views, (view) => {
      const [terminal, browser, footers] = [onTerminal(view), inBrowser(view), inFooters(view)];
      if (view.cards.length > 0) {
        expect(browser.lanes).toEqual(terminal.lanes);
        expect(browser.lanes.map(({ cards }) => cards)).toEqual(expected(view).map(({ cards }) => cards));
      }
      const { merged, of, blocked } = view.totals;
      const shown = of > 0 ? { merged: `${merged}/${of} merged`, blocked } : {};
      expect(terminal).toMatchObject(shown);
      expect(browser).toMatchObject(shown);
      if (view.executions.length > 0) expect(footers).toMatchObject(shown);
      const slots = view.executions.map((one) =>
        one.slots.flatMap((slot, i) => (slot ? [`${i + 1} ${slot.task}`] : [])),
      );
      expect(footers.slots).toEqual(slots);
      expect(browser.slots).toEqual(slots);
      expect(terminal.slots).toEqual(slots.flat());
      const merging = view.executions.map((one) => one.merging);
      expect(browser.merging).toEqual(merging);
      expect(terminal.merging).toEqual(merging.flat());
    }),
    { numRuns: runs(200), examples: [[viewOf([cardLike({ id: "T-1", status: "cancelled" })])]] },
  );
});

import { h } from "preact";
import { renderToString } from "preact-render-to-string";
import { expect, test } from "vitest";
import { lanesOf } from "../../../core/view/board.ts";
import type { Card } from "../../../core/view/card.ts";
import { LANES_BY_URGENCY } from "../../../core/view/lanes.ts";
import { moved } from "./board-keys.ts";
import { BoardLanes } from "./board-lanes.tsx";

const CARD: Card = {
  ...{ id: "T-1", title: "Add a discount", spec: "shop", status: "todo", lane: "todo", priority: 3, tone: "plain" },
  ...{
    badge: "ready",
    label: "ready",
    place: null,
    loop: null,
    iteration: 0,
    maxIterations: null,
    attempt: 1,
    proved: null,
  },
  ...{ proof: null, costUsd: 0, tokens: 0, sinceMs: 0, waitUntilMs: null, held: false, driven: false },
  ...{ waitsFor: [], why: "", doing: null, turnBeganMs: null, heardMs: null, agent: "", model: null, updatedMs: 0 },
};

const HOSTILE = `"><img src=x onerror="alert(1)"><script>alert(2)</script>`;

test("what comes from tasks is text, wherever it is shown", () => {
  const card: Card = {
    ...CARD,
    ...{ id: HOSTILE, title: HOSTILE, badge: HOSTILE, why: HOSTILE, driven: true },
    doing: { kind: "tool", text: HOSTILE, sinceMs: 0 },
  };
  const html = renderToString(h(BoardLanes, { lanes: lanesOf([card]) }));
  expect(html).toContain("&lt;script");
  expect(html).not.toMatch(/<(img|script)/);
});

test("one card of the board is in the tab order, also on a phone, where running work comes first", () => {
  const cards: Card[] = [CARD, { ...CARD, id: "T-2", status: "implementing", lane: "implementing", driven: true }];
  const reached = (html: string) => /<li[^>]*data-card="([^"]+)"(?:(?!<li).)*tabindex="0"/i.exec(html)?.[1];
  const wide = renderToString(h(BoardLanes, { lanes: lanesOf(cards) }));
  expect(reached(wide)).toBe("T-1");
  const narrow = renderToString(h(BoardLanes, { lanes: lanesOf(cards), order: LANES_BY_URGENCY }));
  expect(reached(narrow)).toBe("T-2");
  expect(narrow.indexOf("Implementing")).toBeLessThan(narrow.indexOf("Todo"));
});

test.each([
  ["down", [0, 0], [0, 1]],
  ["down", [0, 1], [0, 1]],
  ["up", [0, 0], [0, 0]],
  ["right", [0, 1], [2, 0]],
  ["right", [2, 0], [2, 0]],
  ["left", [2, 0], [0, 0]],
] as const)("%s from %j is %j: empty lanes are skipped", (to, from, next) => {
  expect(moved([2, 0, 1], from, to)).toEqual(next);
});

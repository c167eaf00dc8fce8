import { h } from "preact";
import { render } from "preact-render-to-string";
import { expect, test } from "vitest";
import { totalsOf } from "../../core/view/totals.ts";
import { Banner } from "./frame.tsx";
import { connection, onNews } from "./live.ts";

const VIEW = { at: 1, cards: [], executions: [], loops: [], totals: totalsOf([], []), todayUsd: 0 };
const shown = (): string => render(h(Banner, {})).replace(/<[^>]*>/g, "");

test("the page says that the server cannot read the journal, until it can or the connection is lost", () => {
  onNews({ is: "view", view: VIEW });
  expect(shown()).toBe("");
  onNews({ is: "problem", problem: "the database is <busy>" });
  expect(connection.value).toBe("live");
  expect(shown()).toBe("The server cannot read the journal: the database is &lt;busy>. Data may be out of date.");
  onNews({ is: "problem", problem: null });
  expect(shown()).toBe("");
  onNews({ is: "problem", problem: "busy" });
  onNews({ is: "lost" });
  expect(shown()).not.toContain("journal");
});

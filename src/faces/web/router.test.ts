import { expect, test } from "vitest";
import { hrefOf, type Route, routeOf } from "./router.ts";

test.each<[string, Route]>([
  ["/", { page: "overview", id: "" }],
  ["/board/", { page: "board", id: "" }],
  ["/tasks/T-1", { page: "task", id: "T-1" }],
  ["/loops", { page: "loops", id: "" }],
  ["/loops/ab12", { page: "loop", id: "ab12" }],
  ["/tasks/a%2Fb", { page: "task", id: "a/b" }],
  ["/tasks/%", { page: "missing", id: "" }],
  ["/tasks", { page: "missing", id: "" }],
  ["/loops/ab12/more", { page: "missing", id: "" }],
  ["/constructor", { page: "missing", id: "" }],
  ["/toString/x", { page: "missing", id: "" }],
])("%s is a page", (path, route) => {
  expect(routeOf(path)).toEqual(route);
});

test("an id is data: its path leads back to it", () => {
  const id = "../a?b#c%2F<i>";
  expect(routeOf(hrefOf("tasks", id))).toEqual({ page: "task", id });
});

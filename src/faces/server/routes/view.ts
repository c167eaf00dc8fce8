import {
  showLoopDiff,
  showLoopPage,
  showTaskDiff,
  showTaskPage,
  showView,
  streamView,
} from "../../../core/schema/api-view.ts";
import { taskPageOf } from "../../../doors/pipeline/tasks/task-page.ts";
import { loopDiff, taskDiff } from "../../../runtime/diff/shown.ts";
import { loopPageOf } from "../../../runtime/view/loop-page.ts";
import { streamed } from "../response-stream.ts";
import { type Route, route } from "../route.ts";

/** What people look at, in the words that every face shows. */
export const viewRoutes: readonly Route[] = [
  route(showView, ({ context: { live } }) => live.view()),
  route(streamView, async ({ context: { live, events, closing, log }, cut }) => {
    const done = events.enter();
    return streamed({ media: "text/event-stream", closing, log, cut, done }, (quit) => live.text(quit));
  }),
  route(showTaskPage, ({ context: { workspace }, params }) => taskPageOf(workspace, params.task)),
  route(showLoopPage, ({ context: { workspace }, params, query }) => loopPageOf(workspace, params.loop, query)),
  route(showLoopDiff, ({ context: { workspace }, params, query }) => loopDiff(workspace, params.loop, query)),
  route(showTaskDiff, ({ context: { workspace }, params, query }) => taskDiff(workspace, params.task, query)),
];

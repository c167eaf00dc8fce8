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
import { Refusal } from "../refusal.ts";
import { streamed } from "../response-stream.ts";
import { type Route, route } from "../route.ts";
import { openTurnstile } from "../turnstile.ts";

/** Each is several processes of git, and any viewer may ask for one. */
const diffs = openTurnstile(4);

/** An error of work that no client waits for is not reported. */
async function asLongAsWanted<Result>(quit: AbortSignal, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!quit.aborted) throw error;
    throw new Refusal(
      503,
      "diff-ended",
      "the diff was not finished: the client has left, or the server stops",
      "ask again",
    );
  }
}

/** What people look at, in the words that every face shows. */
export const viewRoutes: readonly Route[] = [
  route(showView, ({ context: { live } }) => live.view()),
  route(streamView, async ({ context: { live, events, closing, log }, cut }) => {
    const done = events.enter();
    return streamed({ media: "text/event-stream", closing, log, cut, done }, (quit) => live.text(quit));
  }),
  route(showTaskPage, ({ context: { workspace }, params }) => taskPageOf(workspace, params.task)),
  route(showLoopPage, ({ context: { workspace }, params, query }) => loopPageOf(workspace, params.loop, query)),
  route(showLoopDiff, ({ context: { workspace, closing }, params, query, gone }) => {
    const quit = AbortSignal.any([gone, closing]);
    return asLongAsWanted(quit, () => diffs.pass(quit, () => loopDiff(workspace, params.loop, { ...query, quit })));
  }),
  route(showTaskDiff, ({ context: { workspace, closing }, params, query, gone }) => {
    const quit = AbortSignal.any([gone, closing]);
    return asLongAsWanted(quit, () => diffs.pass(quit, () => taskDiff(workspace, params.task, { ...query, quit })));
  }),
];

import { showLoopPage, showTaskPage } from "../../../core/schema/api-view.ts";
import { taskPageOf } from "../../../doors/pipeline/tasks/task-page.ts";
import { loopPageOf } from "../../../runtime/view/loop-page.ts";
import { type Route, route } from "../route.ts";

/** What people look at, in the words that every face shows. */
export const viewRoutes: readonly Route[] = [
  route(showTaskPage, ({ context: { workspace }, params }) => taskPageOf(workspace, params.task)),
  route(showLoopPage, ({ context: { workspace }, params, query }) => loopPageOf(workspace, params.loop, query)),
];

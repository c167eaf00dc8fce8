import { shownSpec } from "../../../core/loop/notes.ts";
import { criteriaOf } from "../../../core/proof/proved.ts";
import { weakIn } from "../../../core/proof/shown.ts";
import { shownLoopEvent } from "../../../core/redact.ts";
import {
  cancelLoopOperation,
  listAttempts,
  listEntries,
  listLoops,
  readAttempt,
  showLoop,
  showStory,
  streamOutput,
} from "../../../core/schema/api-loops.ts";
import { loopNamed, withHolder, withHolders } from "../../../engine/named.ts";
import { cancelLoop } from "../../../runtime/cancel-loop.ts";
import { explainLoop } from "../../../runtime/why-loop.ts";
import { isViewer, noRawOutput } from "../gate.ts";
import { attemptPage, loopAttempts, outputLines } from "../loop-output.ts";
import { streamed } from "../response-stream.ts";
import { BY_HTTP, journalPage, type Route, route } from "../route.ts";

/** Loops: what `ralph list`, `status`, `why`, `logs` and `cancel` do. */
export const loopRoutes: readonly Route[] = [
  route(listLoops, async ({ context: { workspace }, query: { active, task, run, limit } }) => {
    const filter = { limit, ...(active ? { active } : {}), ...(task ? { task } : {}), ...(run ? { run } : {}) };
    return { loops: await withHolders(workspace, await workspace.store.summaries(filter)) };
  }),
  route(showLoop, async ({ context: { workspace }, params }) => {
    const loop = await withHolder(workspace, await loopNamed(workspace, params.loop));
    const { spec, ...state } = (await workspace.store.glance(loop.id)).state;
    const criteria = spec ? criteriaOf(spec.proof, state.proved, state.turn?.verdict?.checks) : [];
    return { ...loop, weak: [...weakIn({ ...state, spec })], criteria, spec: spec && shownSpec(spec), state };
  }),
  route(listEntries, async ({ context: { workspace }, params, query: { after, limit } }) => {
    const { id } = await loopNamed(workspace, params.loop);
    const { entries, next } = await journalPage(workspace.store.entries(id, after), limit);
    return { entries: entries.map((entry) => ({ ...entry, event: shownLoopEvent(entry.event) })), next };
  }),
  route(showStory, async ({ context: { workspace }, params, query }) =>
    explainLoop(workspace, await loopNamed(workspace, params.loop), query),
  ),
  route(listAttempts, async ({ context: { workspace }, params }) => {
    const { id } = await loopNamed(workspace, params.loop);
    return { attempts: await loopAttempts(workspace, id) };
  }),
  route(readAttempt, async ({ context: { workspace }, params, query: { after, limit } }) => {
    const { id } = await loopNamed(workspace, params.loop);
    return attemptPage(workspace, id, params, { after, limit });
  }),
  route(streamOutput, async ({ context: { workspace, events, closing, log }, params, query, asker, cut }) => {
    const masked = isViewer(asker);
    if (masked && query.raw) throw noRawOutput();
    const { id } = await loopNamed(workspace, params.loop);
    const done = events.enter();
    return streamed({ media: "application/x-ndjson", closing, log, cut, done }, (quit) =>
      outputLines(workspace, id, { ...query, masked }, quit),
    );
  }),
  route(cancelLoopOperation, async ({ context: { workspace }, params }) => {
    const { id } = await loopNamed(workspace, params.loop);
    const { is } = await cancelLoop(workspace, id, { by: BY_HTTP, patienceMs: 0 });
    return { ...(await withHolder(workspace, await workspace.store.find(id))), cancelled: is !== "idle" };
  }),
];

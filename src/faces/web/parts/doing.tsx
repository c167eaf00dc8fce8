import type { Doing } from "../../../core/pulse.ts";
import { Elapsed } from "./clock.tsx";

/** What runs right now: the tool call or check, and for how long. */
export function DoingLine({ doing }: { doing: Doing }) {
  return (
    <p class="doing">
      <span class="doing-kind">{doing.kind}</span>
      <span class="doing-text" title={doing.text}>
        {doing.text}
      </span>
      <Elapsed since={doing.sinceMs} />
    </p>
  );
}

import { useComputed, useSignal } from "@preact/signals";
import type { Card } from "../../../core/view/card.ts";
import { liveWords } from "../../../core/view/clock.ts";
import { now } from "./clock.tsx";

type Live = Pick<Card, "waitUntilMs" | "doing" | "turnBeganMs" | "heardMs">;

/** What runs right now, ticking: the tool call or check, how long the agent has been silent, until when it waits. */
export function Doing({ of }: { of: Live }) {
  const latest = useSignal(of);
  latest.value = of;
  const text = useComputed(() => liveWords(latest.value, now.value).text);
  const kind = useComputed(() => `doing text-${liveWords(latest.value, now.value).tone}`);
  const isIdle = of.turnBeganMs === null && of.doing === null && of.waitUntilMs === null;
  if (isIdle) return null;
  return (
    <p class={kind} title={of.doing?.text ?? ""}>
      {text}
    </p>
  );
}

import { printable } from "../../../core/ansi.ts";
import type { LoopState } from "../../../core/loop/state.ts";
import { endFacts } from "../../../core/view/loop-page-of.ts";
import type { LoopView } from "../../../engine/named.ts";
import { paint } from "../../terminal/paint.ts";
import { activityOf, agoOf, sessionWords } from "../output/phrases.ts";
import { markOf } from "./end-lines.ts";

interface Head {
  /** How it ended, or how far it is. */
  ended: string;
  decided: string;
  /** Whether it is still open what decides. */
  isOpen: boolean;
  /** The command to type next. */
  next: string;
}

/** The first three lines of every explanation. */
export const headLines = ({ ended, decided, isOpen, next }: Head): string[] => [
  ended,
  `  ${isOpen ? "decides next" : "decided"}: ${printable(decided) || "nothing yet"}`,
  paint("dim", `  next: ${next}`),
];

/** How a loop ended or how far it is, on one line. */
export function loopEnded(loop: LoopView, state: LoopState): string {
  const [iterations, time, ...spent] = endFacts({ ...state, proved: loop.proved });
  const facts = [
    `loop ${loop.id}`,
    ...(loop.reason ? [iterations, time] : [`started ${agoOf(loop.createdAtMs)}`]),
    ...spent,
  ];
  return `${loop.reason ? markOf(loop.reason) : openWords(loop, state)}: ${printable(loop.title)} ${paint("dim", `(${facts.join(", ")})`)}`;
}

function openWords(loop: LoopView, { limits, n }: LoopState): string {
  const most = limits.maxIterations === null ? "" : ` of ${limits.maxIterations}`;
  const doing = [activityOf(loop), sessionWords(loop)].filter(Boolean).join(" in ");
  const words = `${doing}, ${n === 0 ? "before the first iteration" : `iteration ${n}${most}`}`;
  return loop.held ? paint("bold", `… ${words}`) : paint("yellow", `■ ${words}, but its driver is gone`);
}

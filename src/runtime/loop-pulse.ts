import type { AgentEvent } from "../core/agent.ts";
import { printable } from "../core/ansi.ts";
import { shorten } from "../core/excerpt.ts";
import type { LoopSpec } from "../core/loop/spec.ts";
import { agentLabel } from "../core/loop/words.ts";
import type { Doing, LoopPulse } from "../core/pulse.ts";
import { NO_USAGE, priced, totalTokens } from "../core/usage.ts";
import { usageMeter } from "../core/usage-meter.ts";
import type { Workspace } from "../core/workspace.ts";
import type { EnginePorts, TurnRequest } from "../engine/ports.ts";
import { openBeats } from "./beats.ts";
import type { LoopWatcher } from "./loop-watcher.ts";

/** Writes what a loop's driver does right now, for those who look. */
export interface LoopBeat {
  /** The same watcher, which notes what it gets. */
  watching(view: LoopWatcher): LoopWatcher;
  /** The same ports, whose turns and effects are noted. */
  performing(ports: EnginePorts): EnginePorts;
  /** To be called once the lease is released, so that readers notice. */
  close(): void;
}

const TEXT_CHARS = 160;

const IDLE = { turnBeganMs: null, doing: null, heardMs: null, costUsd: 0, tokens: 0 };

export function openLoopBeat({ pulses }: Workspace, { id, spec }: { id: string; spec: LoopSpec }): LoopBeat {
  let pulse: LoopPulse = { agent: "", model: null, ...IDLE };
  let meter = usageMeter(NO_USAGE);
  let price: LoopSpec["agents"][number]["price"] = null;
  /** Several commands may run at once: the oldest is shown. */
  const commands = new Map<string, Doing>();
  const beats = openBeats(() => pulses.beat({ kind: "loop", id, pulse }, Date.now()));
  const note = (news: Partial<LoopPulse>): void => {
    pulse = { ...pulse, ...news };
    beats.changed();
  };

  function hear(event: AgentEvent): void {
    if (event.type === "session.opened" && event.model !== undefined) note({ model: printable(event.model) });
    // It stays until the next one: an agent that thinks has nothing else to show.
    if (event.type === "tool.called") note({ doing: doingOf("tool", `${event.name} ${event.summary}`) });
    if (event.type !== "usage.reported") return;
    meter.add(event);
    const usage = priced(meter.total().usage, price);
    note({ costUsd: usage.costUsd, tokens: totalTokens(usage) });
  }

  const check: LoopWatcher["check"] = (kind, command, result) => {
    const name = `${kind} ${command}`;
    if (result) commands.delete(name);
    else commands.set(name, doingOf(kind === "guardrail" ? "guardrail" : "check", command));
    const [first = null] = commands.values();
    note({ doing: first });
  };

  function beginTurn({ agent, sessionUsage }: TurnRequest): void {
    const label = agentLabel(spec.agents, agent);
    meter = usageMeter(sessionUsage);
    price = spec.agents[agent]?.price ?? null;
    note({ ...IDLE, agent: label, model: label === pulse.agent ? pulse.model : null, turnBeganMs: Date.now() });
  }

  /** Shows something that takes time, until it is over. */
  async function during<T>(begin: () => void, work: () => Promise<T>): Promise<T> {
    begin();
    try {
      return await work();
    } finally {
      commands.clear();
      note(IDLE);
    }
  }

  return {
    watching: (view) => ({
      ...view,
      show(output) {
        note({ heardMs: Date.now() });
        return view.show(output);
      },
      hear(event) {
        hear(event);
        view.hear?.(event);
      },
      check(kind, command, result) {
        check(kind, command, result);
        view.check(kind, command, result);
      },
    }),
    performing: (ports) => ({
      ...ports,
      runTurn: (turn) =>
        during(
          () => beginTurn(turn),
          () => ports.runTurn(turn),
        ),
      performEffect: (request) =>
        during(
          () => note({ doing: doingOf("effect", [request.effect.program, ...request.effect.args].join(" ")) }),
          () => ports.performEffect(request),
        ),
    }),
    close() {
      beats.close();
      pulses.end({ kind: "loop", id });
    },
  };
}

const doingOf = (kind: Doing["kind"], text: string): Doing => ({
  kind,
  text: shorten(printable(text).trim(), TEXT_CHARS),
  sinceMs: Date.now(),
});

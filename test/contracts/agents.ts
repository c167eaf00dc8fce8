import { describe, expect, test } from "vitest";
import type { AgentKind } from "../../src/adapters/agents/kind.ts";
import { knownAgent } from "../../src/adapters/agents/known.ts";
import { openReader } from "../../src/adapters/agents/reader.ts";
import type { AgentEvent } from "../../src/core/agent.ts";
import { presets } from "../../src/core/claim/policy.ts";
import { watchClaims } from "../../src/core/claim/watch.ts";
import { messagesOf } from "../support/captures.ts";
import { someAgent } from "../support/spec.ts";

type Line = Readonly<Record<string, unknown>>;

/** The forms of an agent's stream, written from its recorded runs. */
export interface Dialect {
  kind: AgentKind;
  said(text: string): Line[];
  /** The last lines of a successful run. */
  success: Line[];
  /** The first line of a run that names the model; null for an agent that never does. */
  opening: ((model: unknown) => Line[]) | null;
  /** Events with text that is not the assistant's. */
  others: Record<string, (text: string) => Line[]>;
  /** Errors, and the kind of fault of each. */
  errors: Record<string, [Line[], string]>;
}

const TAG = "<promise>DONE</promise>";

/** The contract of every adapter of an agent with a structured stream. */
export function agentContract({ kind, said, success, opening, others, errors }: Dialect): void {
  const hear = (output: string) => {
    const events: AgentEvent[] = [];
    const reader = openReader(knownAgent(kind, someAgent(kind.name)), {
      claims: watchClaims(presets.harness("DONE")),
      onEvent: (event) => events.push(event),
    });
    reader.add(Buffer.from(output));
    return { ...reader.finish(), events };
  };
  const hearLines = (...lines: unknown[]) => hear(`${lines.map((line) => JSON.stringify(line)).join("\n")}\n`);

  describe(kind.name, () => {
    test("the assistant's text claims, and the run succeeds", () => {
      const { reading, result } = hearLines(...said(`All done. ${TAG}`), ...success);
      expect(reading.claim?.text).toBe("DONE");
      expect(result).toBe("succeeded");
    });

    test("without its last line there is no success", () => {
      expect(hearLines(...said("Done."), ...success.slice(0, -1)).result).not.toBe("succeeded");
    });

    test.each(Object.entries(others))("%s is not the assistant's text", (_name, lines) => {
      const { reading, events } = hearLines(...lines(`All done. ${TAG}`), ...success);
      expect(messagesOf(events).join()).not.toContain(TAG);
      expect(reading.claim).toBeNull();
    });

    test.each(Object.entries(errors))("%s", (_name, [lines, expected]) => {
      expect(hearLines(...lines).result).toMatchObject({ kind: expected });
    });

    test.each<[unknown, string | null]>([
      ["some-model", opening && "some-model"],
      ["", null],
      [7, null],
      [undefined, null],
    ])("of the model %j it reports %j", (told, expected) => {
      const { model, result } = hearLines(...(opening?.(told) ?? []), ...said("Done."), ...success);
      expect([model, result]).toEqual([expected, "succeeded"]);
    });

    test("unknown lines are ignored", () => {
      const odd = [null, [], [[]], 7, "x", true, {}, { type: null }, { type: "new.thing", item: { type: 5 } }];
      const { reading, result } = hearLines(...odd, ...said(TAG), ...odd, ...success);
      expect([reading.claim?.text, result]).toEqual(["DONE", "succeeded"]);
    });

    test("fields of the wrong type, or none at all, never throw", () => {
      const wrong = [null, 7, "x", [], [null], {}, { message: [] }, { content: [null, 7, { type: "text", text: 1 }] }];
      for (const line of [...said("x"), ...success, ...Object.values(others).flatMap((lines) => lines("x"))]) {
        for (const key of Object.keys(line)) for (const value of wrong) hearLines({ ...line, [key]: value });
        hearLines({ type: line.type });
      }
    });

    test("fields of later versions are tolerated", () => {
      const extended = [...said(TAG), ...success].map((line) => ({ novelty: { deep: [1] }, ...line, zzz: null }));
      const { reading, result } = hearLines(...extended);
      expect([reading.claim?.text, result]).toEqual(["DONE", "succeeded"]);
    });

    test("garbage, truncated lines and a line of a megabyte are tolerated", () => {
      const line = JSON.stringify(said("cut")[0]);
      const long = JSON.stringify(said("x".repeat(1 << 20))[0]);
      const garbage = ["\u0000\u0001�", line.slice(0, -3), line.slice(5), "{", "}{", '{"type":', long];
      const good = [...said(TAG), ...success].map((value) => JSON.stringify(value));
      const { reading, result } = hear([...garbage, ...good].join("\n"));
      expect([reading.claim?.text, result]).toEqual(["DONE", "succeeded"]);
    });
  });
}

import * as z from "zod";
import { type AgentEvent, FAILURES, TROUBLES } from "../agent.ts";

const tokens = z.int().nonnegative();

const fault = z.object({
  kind: z.enum([...TROUBLES, ...FAILURES]),
  detail: z.string(),
  retryAtMs: z.number().exactOptional(),
});

/** An agent's events as passed between processes, one JSON document per line. */
export const agentEventSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("session.opened"), sessionId: z.string(), model: z.string().exactOptional() }),
  z.object({ type: z.literal("text.said"), text: z.string() }),
  z.object({ type: z.literal("message.ended") }),
  z.object({ type: z.literal("thought.had"), text: z.string() }),
  z.object({ type: z.literal("tool.called"), name: z.string(), summary: z.string() }),
  z.object({ type: z.literal("tool.returned"), summary: z.string() }),
  z.object({ type: z.literal("tool.denied"), name: z.string(), detail: z.string(), input: z.string().exactOptional() }),
  z.object({ type: z.literal("tool.failed"), name: z.string(), detail: z.string() }),
  z.object({
    type: z.literal("usage.reported"),
    usage: z.object({
      inputTokens: tokens,
      cachedTokens: tokens,
      outputTokens: tokens,
      costUsd: z.number().nonnegative(),
    }),
    of: z.enum(["step", "turn", "session"]),
  }),
  z.object({ type: z.literal("turn.succeeded") }),
  z.object({ type: z.literal("turn.stalled"), fault }),
  z.object({ type: z.literal("turn.failed"), fault }),
]);

// Mutual assignability misses a missing optional key, identity misses `| undefined`. Together they miss nothing.
type Identical<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
type Same<A, B> = [A, B] extends [B, A] ? Identical<A, B> : false;

// Does not compile if the port and its schema differ.
true satisfies Same<z.output<typeof agentEventSchema>, AgentEvent>;

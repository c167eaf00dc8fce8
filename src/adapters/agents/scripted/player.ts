import { randomUUID } from "node:crypto";
import { text } from "node:stream/consumers";
import * as z from "zod";
import { RalphError } from "../../../core/errors.ts";
import type { Scenario } from "../../../core/schema/scenario.ts";
import { emit, note } from "./output.ts";
import { perform, type ScriptContext } from "./perform.ts";
import { readScenario } from "./read.ts";
import { fillIn, type ScriptedTurn, stepsFor } from "./turn.ts";

const ordinal = z.coerce.number().int().min(1).default(1);
const environment = z.object({
  RALPH_ITERATION: ordinal,
  RALPH_ATTEMPT: ordinal,
  RALPH_SESSION: z.string().default(""),
  RALPH_PURPOSE: z.string().default("work"),
});

/** Plays one iteration of the scenario given on the command line and returns the exit code. */
async function main(args: readonly string[]): Promise<number> {
  const [file, ...more] = args;
  if (file === undefined || more.length > 0) {
    throw new RalphError("usage", `expected one scenario file, got ${args.length} arguments`, {
      hint: "node scripted.js <scenario.yaml> < prompt.txt",
    });
  }
  // Read first, so that the writer of the prompt never gets a closed pipe.
  const prompt = process.stdin.isTTY ? "" : await text(process.stdin);
  const scenario = await readScenario(file);
  const { RALPH_ITERATION, RALPH_ATTEMPT, RALPH_SESSION, RALPH_PURPOSE } = readEnvironment();
  const turn: ScriptedTurn = {
    prompt,
    iteration: RALPH_ITERATION,
    attempt: RALPH_ATTEMPT,
    session: RALPH_SESSION || scenario.session || randomUUID(),
  };
  return RALPH_PURPOSE === "ask" ? answer(scenario, turn) : play(scenario, turn);
}

/** A question is not an iteration: it gets an answer and no step is played. */
async function answer(scenario: Scenario, turn: ScriptedTurn): Promise<number> {
  await emit({ type: "session.opened", sessionId: turn.session });
  await emit({ type: "text.said", text: fillIn(scenario.answer ?? "Play iteration {{iteration}}", turn) });
  await emit({ type: "message.ended" });
  await emit({ type: "turn.succeeded" });
  return 0;
}

async function play(scenario: Scenario, turn: ScriptedTurn): Promise<number> {
  await emit({ type: "session.opened", sessionId: turn.session });
  const steps = stepsFor(scenario, turn);
  if (steps === null) {
    const detail = `the scenario ends after iteration ${scenario.iterations.length}, this is iteration ${turn.iteration}`;
    note(detail);
    await emit({ type: "turn.failed", fault: { kind: "crashed", detail } });
    return 1;
  }
  const stage = stageFor(turn);
  for (const step of steps) {
    const exitCode = await perform(step, stage);
    if (exitCode !== null) return exitCode;
  }
  await emit({ type: "turn.succeeded" });
  return 0;
}

function stageFor(turn: ScriptedTurn): ScriptContext {
  const { iteration, attempt, session } = turn;
  return {
    root: process.cwd(),
    fill: (text) => fillIn(text, turn),
    env: { RALPH_ITERATION: String(iteration), RALPH_ATTEMPT: String(attempt), RALPH_SESSION: session },
  };
}

function readEnvironment(): z.output<typeof environment> {
  const parsed = environment.safeParse(process.env);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new RalphError("environment-invalid", `${issue?.path.join(".")}: expected a whole number from 1`);
}

/** Prints known errors in one or two lines. Anything else is a bug and keeps its stack. */
function report(error: unknown): number {
  if (!(error instanceof RalphError)) throw error;
  note(`scripted agent: ${error.message}`);
  if (error.hint !== undefined) note(error.hint);
  return error.exitCode;
}

// A closed pipe is not worth a stack trace.
process.stdout.on("error", () => process.exit(1));
process.exitCode = await main(process.argv.slice(2)).catch(report);

import { StringDecoder } from "node:string_decoder";
import { processEndWords } from "../adapters/io/ending.ts";
import { postJson } from "../adapters/io/post.ts";
import { runProcess } from "../adapters/io/process.ts";
import { pause } from "../adapters/io/timer.ts";
import type { Watchdog } from "../adapters/io/watchdog.ts";
import { printable } from "../core/ansi.ts";
import { excerpt, shorten } from "../core/excerpt.ts";
import { maskUrls } from "../core/loop/notes.ts";
import { type AnchorFacts, anchorEnvironment, factsEnvironment, type NoticeFacts } from "../core/loop/notices.ts";
import type { Receiver } from "../core/loop/spec.ts";

const COMMAND_MS = 30_000;
const GRACE_MS = 1_000;
const POST_MS = 10_000;
const TRIES = 3;
const FIRST_PAUSE_MS = 500;
const COMPLAINT_CHARS = 300;

export interface TellSetting {
  token: string;
  watchdog: Watchdog;
  /** Aborts a notification that is being sent. */
  quit: AbortSignal;
}

/** A notification: as variables for a command, which also gets the JSON on standard input. */
interface Message {
  facts: object;
  env: Record<string, string>;
  /** The folder of a command. */
  cwd: string;
}

/** Sends a notice to one recipient. Returns the reason for a failure, or null. */
export const tellRecipient = (run: Receiver, facts: NoticeFacts, setting: TellSetting): Promise<string | null> =>
  tell(run, { facts, env: factsEnvironment(facts), cwd: facts.cwd }, setting);

/** Sends other facts, under the same names. Returns the reason for a failure, or null. */
export const tellFacts = (
  run: Receiver,
  facts: { readonly cwd: string },
  setting: TellSetting,
): Promise<string | null> => tell(run, { facts, env: factsEnvironment(facts), cwd: facts.cwd }, setting);

/** Sends the head of a journal to the anchor. Returns the reason for a failure, or null. */
export const tellAnchor = (
  run: Receiver,
  { cwd, ...facts }: AnchorFacts & { cwd: string },
  setting: TellSetting,
): Promise<string | null> => tell(run, { facts, env: anchorEnvironment(facts), cwd }, setting);

const tell = (run: Receiver, message: Message, setting: TellSetting): Promise<string | null> =>
  "webhook" in run ? post(run.webhook, message.facts, setting.quit) : execute(run.command, message, setting);

/** Runs the user's command. Text from the agent is passed only as data, never on the command line. */
async function execute(
  command: string,
  { facts, env, cwd }: Message,
  { quit, ...setting }: TellSetting,
): Promise<string | null> {
  const complaint = excerpt(COMPLAINT_CHARS);
  const decoder = new StringDecoder("utf8");
  const ended = await runProcess({
    ...setting,
    file: "sh",
    args: ["-c", command],
    cwd,
    env,
    stdin: `${JSON.stringify(facts)}\n`,
    timeoutMs: COMMAND_MS,
    idleTimeoutMs: null,
    graceMs: GRACE_MS,
    stops: { soft: quit, hard: quit },
    onStdout: () => undefined,
    onStderr: (chunk) => void complaint.add(decoder.write(chunk)),
  });
  if (ended.by === "exit" && ended.code === 0) return null;
  const said = shorten(maskUrls(printable(complaint.text())), COMPLAINT_CHARS);
  const how = processEndWords(ended, COMMAND_MS);
  return said ? `${how}: ${said}` : how;
}

async function post(url: string, facts: object, quit: AbortSignal): Promise<string | null> {
  for (let tries = 1; ; tries++) {
    const posted = await postJson({ url, json: facts, timeoutMs: POST_MS, quit });
    if (posted.is === "taken") return null;
    if (!posted.again || tries === TRIES) return tries > 1 ? `${posted.why}, after ${tries} tries` : posted.why;
    await pause(FIRST_PAUSE_MS * 4 ** (tries - 1), quit);
    if (quit.aborted) return `${posted.why}, then aborted`;
  }
}

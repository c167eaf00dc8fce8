import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { HOST_COMMANDS } from "../../../core/host.ts";
import { asFields, asText } from "../../agents/json.ts";
import { environment, RUN_VARIABLE } from "../../io/environment.ts";
import { askingProgram } from "./ask.ts";
import { type OpencodeClient, openOpencode } from "./client.ts";
import { OPENCODE_SESSION, type PluginProgram } from "./plugin-file.ts";
import { type SessionLoops, sessionLoops } from "./session-loops.ts";
import { isAbort } from "./turn.ts";

/*
 * The plugin may be installed for the user and for the project, or loaded again without being closed. All copies get
 * every event, but only the last one loaded for a folder acts. The process is all they share.
 */
const SHARED = Symbol.for("ralph-engine/opencode");

function last(): Map<string, object> {
  const shared: unknown = Reflect.get(globalThis, SHARED);
  if (shared instanceof Map) return shared;
  const made = new Map<string, object>();
  Reflect.set(globalThis, SHARED, made);
  return made;
}

export interface PluginHooks {
  event?(input: { event: unknown }): Promise<void>;
  "command.execute.before"?(
    input: { command: string; sessionID: string; arguments: string },
    output: { parts: object[] },
  ): Promise<void>;
  "shell.env"?(input: { sessionID?: string }, output: { env: Record<string, string> }): Promise<void>;
  dispose?(): Promise<void>;
}

export interface OpencodePlugin {
  id: string;
  /** `options` are the plugin's options in OpenCode's settings. */
  server(input: { client: OpencodeClient; directory: string }, options?: Partial<PluginProgram>): Promise<PluginHooks>;
}

/** Ralph in OpenCode's sessions. The program makes every decision; it is started only for sessions with a loop. */
export const ralphPlugin = (program: Partial<PluginProgram> = {}): OpencodePlugin => ({
  id: "ralph",
  async server({ client, directory }, options) {
    // The session of an agent that a loop has started belongs to that loop.
    if (environment()[RUN_VARIABLE]) return {};
    const closing = new AbortController();
    const ask = askingProgram(commandOf({ ...program, ...options }), directory, closing.signal);
    const loops = sessionLoops(openOpencode(client), ask);
    const me = {};
    last().set(directory, me);
    const isSuperseded = () => last().get(directory) !== me;
    return {
      async event({ event }) {
        if (!isSuperseded()) await hear(asFields(event), loops);
      },
      async "command.execute.before"({ command: name, sessionID, arguments: text }, { parts }) {
        const command = HOST_COMMANDS.find((one) => one === name);
        if (!command || isSuperseded()) return;
        const { told, aside } = await loops.command(sessionID, command, text);
        const ignored = aside === "" ? [] : [{ type: "text", text: aside, ignored: true }];
        parts.splice(0, parts.length, { type: "text", text: told }, ...ignored);
      },
      async "shell.env"({ sessionID }, { env }) {
        if (sessionID) env[OPENCODE_SESSION] = sessionID;
      },
      async dispose() {
        closing.abort();
      },
    };
  },
});

async function hear({ type, properties }: ReturnType<typeof asFields>, loops: SessionLoops): Promise<void> {
  const { sessionID, error } = asFields(properties);
  const session = asText(sessionID);
  if (session === "") return;
  if (type === "session.idle") await loops.idle(session);
  if (type === "session.deleted") await loops.deleted(session);
  if (type === "session.error" && isAbort(error)) await loops.aborted(session);
}

/** The given program, the one next to this file or, in a copy of this file, the one on PATH. */
function commandOf({ node = "node", ralph }: Partial<PluginProgram>): [string, ...string[]] {
  const beside = fileURLToPath(new URL("./ralph.js", import.meta.url));
  // A copy may be called `ralph.js` itself.
  const isProgram = beside !== fileURLToPath(import.meta.url) && existsSync(beside);
  const script = ralph ?? (isProgram ? beside : null);
  return script === null ? ["ralph"] : [node, script];
}

// biome-ignore lint/style/noDefaultExport: OpenCode looks for one.
export default ralphPlugin();

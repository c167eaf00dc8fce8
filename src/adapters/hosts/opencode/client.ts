import { messageOf } from "../../../core/errors.ts";
import { shorten } from "../../../core/excerpt.ts";
import type { Toast } from "../../../core/host.ts";
import { asFields, asText } from "../../agents/json.ts";
import type { PromptTarget } from "./turn.ts";

/** The result of a request, which returns errors (a missing session, say) instead of throwing them. */
type Reply = { data?: unknown; error?: unknown };
type Request = (options: object) => Promise<Reply>;

export interface OpencodeClient {
  session: Record<"messages" | "get" | "create" | "promptAsync", Request>;
  tui: { showToast: Request; selectSession?: Request };
  app: { log: Request };
  /** For server functions without a client method. */
  _client?: { post?: Request };
}

/** The functions of OpenCode that a loop needs. Failed requests throw the server's own message. */
export interface Opencode {
  /** The messages of a session, oldest first; with `most`, only the last ones. */
  messages(id: string, most?: number): Promise<unknown>;
  /** Opens a session with the title of another one. Returns its id. */
  openLike(id: string): Promise<string>;
  prompt(id: string, text: string, asked: PromptTarget): Promise<void>;
  /** Shows a session in the user interface, if there is one. */
  show(id: string): Promise<void>;
  /** Shows notices. A failure is ignored. */
  toast(toasts: readonly Toast[]): Promise<void>;
  /** Reports an error in a notice and in OpenCode's log. Never throws. */
  complain(what: string): Promise<void>;
}

const COMPLAINT_CHARS = 300;

export function openOpencode(client: OpencodeClient): Opencode {
  const { session, tui, app } = client;
  const toast = async (toasts: readonly Toast[]) => {
    await Promise.allSettled(toasts.map(async (body) => tui.showToast({ body })));
  };
  return {
    messages: async (id, most) =>
      dataOf(await session.messages({ path: { id }, ...(most === undefined ? {} : { query: { limit: most } }) })),
    async openLike(id) {
      const title = asText(asFields(dataOf(await session.get({ path: { id } }))).title);
      const opened = asText(asFields(dataOf(await session.create({ body: title === "" ? {} : { title } }))).id);
      if (opened === "") throw new Error("OpenCode opened no session");
      return opened;
    },
    async prompt(id, text, asked) {
      dataOf(await session.promptAsync({ path: { id }, body: { ...asked, parts: [{ type: "text", text }] } }));
    },
    async show(id) {
      const body = { sessionID: id };
      if (tui.selectSession) await tui.selectSession({ body });
      else await client._client?.post?.({ url: "/tui/select-session", body, headers: JSON_BODY });
    },
    toast,
    async complain(what) {
      const message = shorten(what, COMPLAINT_CHARS);
      await toast([{ title: "Ralph Loop", message, variant: "error", duration: 10_000 }]);
      // If both fail, the user sees that nothing happens.
      await app.log({ body: { service: "ralph", level: "error", message: what } }).catch(() => undefined);
    },
  };
}

const JSON_BODY = { "content-type": "application/json" };

function dataOf({ data, error }: Reply): unknown {
  if (error === undefined) return data;
  const { data: told, name } = asFields(error);
  throw new Error(asText(asFields(told).message) || asText(name) || messageOf(error));
}

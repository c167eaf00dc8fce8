import { jsonIn } from "../../core/json-text.ts";
import { isSecretFlag, isSecretName } from "../../core/secrets/named.ts";
import { hideKeys, hideValue } from "../../core/secrets.ts";
import { jsonLine } from "../../core/terminal-text.ts";

/** What a viewer gets of an answer: without what looks like a secret. */
export async function forViewers(answer: Response): Promise<Response> {
  const { body, headers } = answer;
  if (!body) return answer;
  const type = headers.get("content-type") ?? "";
  if (/^(text\/event-stream|application\/x-ndjson)\b/.test(type)) {
    return new Response(body.pipeThrough(maskedLines()), answer);
  }
  const text = await answer.text();
  // Nothing, if only the headers were asked for.
  if (text === "") return new Response(null, answer);
  const value = jsonIn(text);
  return new Response(value === undefined ? hideKeys(text) : jsonLine(withoutSecrets(value)), answer);
}

/** Lines of streams are JSON, in events after their field's name. */
function maskedLines() {
  const [decoder, encoder] = [new TextDecoder(), new TextEncoder()];
  let rest = "";
  return new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
      rest = lines.pop() ?? "";
      if (lines.length > 0) controller.enqueue(encoder.encode(lines.map((line) => `${masked(line)}\n`).join("")));
    },
    flush: (controller) => controller.enqueue(encoder.encode(masked(rest))),
  });
}

function masked(line: string): string {
  const [, field = "", json = ""] = /^((?:data: )?)([{["].*)$/s.exec(line) ?? [];
  const value = json === "" ? undefined : jsonIn(json);
  return value === undefined ? hideKeys(line) : field + JSON.stringify(withoutSecrets(value));
}

/** No key in a known format is shorter. Most names are, and answers have very many. */
const SHORTEST = 11;

/** A value is also hidden if its key, one above it, or the name beside it is named like a secret. */
function withoutSecrets(value: unknown, name = ""): unknown {
  if (typeof value === "string") return hideValue(name, value);
  if (Array.isArray(value)) return value.map((item, at) => withoutSecrets(item, nameBefore(value, at) ?? name));
  if (typeof value !== "object" || value === null) return value;
  const named = nameBeside(value);
  const shown = new Map<string, unknown>();
  for (const [key, member] of Object.entries(value)) {
    const own = /^values?$/i.test(key) && named !== null ? named : key;
    shown.set(
      freeKey(shown, key.length < SHORTEST ? key : hideKeys(key)),
      withoutSecrets(member, isSecretName(own) ? own : inherited(name, own)),
    );
  }
  return Object.fromEntries(shown);
}

/** Files that are left out because they may contain secrets are listed by this key. */
const LIST = "secrets";

const inherited = (above: string, own: string): string => (isSecretName(above) && above !== LIST ? above : own);

/** Of a pair such as `["API_TOKEN", "…"]`, and of a command line's arguments. */
function nameBefore(list: readonly unknown[], at: number): string | null {
  const before = list[at - 1];
  if (typeof before !== "string" || typeof list[at] !== "string") return null;
  if (isSecretFlag(before)) return String(list[at]).startsWith("-") ? null : before;
  return list.length === 2 && /^[\w-]+$/.test(before) && isSecretName(before) ? before : null;
}

/** Such as `{name: "API_TOKEN", value: "…"}`. */
function nameBeside(value: object): string | null {
  const names = Object.entries(value).filter(([key]) => /^(?:name|key|variable|header)$/i.test(key));
  const [, found] = names.find(([, name]) => typeof name === "string" && isSecretName(name)) ?? [];
  return typeof found === "string" ? found : null;
}

function freeKey(taken: ReadonlyMap<string, unknown>, key: string): string {
  let free = key;
  for (let next = 2; taken.has(free); next++) free = `${key} ${next}`;
  return free;
}

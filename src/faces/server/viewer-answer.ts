import { jsonIn } from "../../core/json-text.ts";
import { hideKeys } from "../../core/secrets.ts";
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
  return value === undefined ? line : field + JSON.stringify(withoutSecrets(value));
}

/** A value is also hidden if its key is named like a secret. */
function withoutSecrets(value: unknown, key = ""): unknown {
  if (typeof value === "string") return hideKeys(`${key}=${value}`).slice(key.length + 1);
  if (Array.isArray(value)) return value.map((item) => withoutSecrets(item, key));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withoutSecrets(member, name)]));
}

import { expect, test } from "vitest";
import * as z from "zod";
import { definePlatform } from "../../adapters/platforms/platform.ts";
import { openPlatforms, PLATFORMS, platformSettings } from "../../adapters/platforms/platforms.ts";
import { RalphError } from "../../core/errors.ts";
import type { OutgoingMessage, PlatformMessage } from "../../core/platform.ts";
import { operation } from "../../core/schema/api.ts";
import { platformFields, readJsonText } from "../../core/schema/platform-fields.ts";
import { openApiOf } from "./openapi.ts";
import { platformRoutes } from "./routes/conversations.ts";

/** Everything that a new platform needs: this definition, and its name in the table. */
const sent: OutgoingMessage[] = [];
const radio = definePlatform({
  settings: platformFields({ station: z.string() }, "{ station }", "RADIO_KEY"),
  secrets: { RADIO_KEY: "ask the station" },
  operation: operation({
    id: "receiveRadio",
    method: "POST",
    path: "/radio/messages",
    tag: "conversations",
    summary: "Messages of the radio",
    access: { header: "X-Radio-Key", description: "the key of the station" },
    answer: { media: "application/json", description: "accepted" },
  }),
  open({ station }, secrets) {
    const key = secrets.require("RADIO_KEY");
    return {
      outbound: {
        mode: "batch",
        maxChars: 100,
        async send(message) {
          sent.push(message);
          return { is: "sent" };
        },
      },
      inbound: {
        by: "request",
        async receive({ text, header }, accept) {
          if (header("x-radio-key") !== key)
            throw new RalphError("signature-refused", "another key", { hint: "check RADIO_KEY" });
          const message = readJsonText(z.object({ text: z.string() }), text);
          return accept({ conversation: station, text: message?.text ?? "" });
        },
      },
    };
  },
});
const platforms = { ...PLATFORMS, radio };

test("its settings are checked, and a secret in them is refused", () => {
  const schema = platformSettings(platforms);
  expect(schema.safeParse({ radio: { station: "one" } }).success).toBe(true);
  expect(schema.safeParse({ radio: { key: "x" } }).error?.issues.map(({ message }) => message)).toContain(
    'unknown key "key": a secret does not belong in a file, set RADIO_KEY in the environment',
  );
});

test("the server has its route, and the OpenAPI document its signature", () => {
  const operations = platformRoutes(platforms).map(({ operation }) => operation);
  const document = openApiOf(operations);
  expect(document.paths).toHaveProperty(["/radio/messages", "post", "security"], [{ "X-Radio-Key": [] }]);
  expect(document.components.securitySchemes).toHaveProperty("X-Radio-Key");
});

test("its messages come in and go out", async () => {
  const env = { RADIO_KEY: "k" };
  const opened = openPlatforms({ settings: { radio: { station: "one" } }, env, platforms }).get("radio");
  expect(env).toEqual({});
  const accepted: PlatformMessage[] = [];
  const accept = async (message: PlatformMessage) => {
    accepted.push(message);
    return { conversationId: message.conversation, runId: null, isNew: true };
  };
  if (opened?.inbound.by !== "request") throw new Error("the radio sends requests");
  const request = {
    body: null,
    text: '{"text":"status"}',
    header: (name: string) => (name === "x-radio-key" ? "k" : null),
  };
  expect(await opened.inbound.receive(request, accept)).toMatchObject({ conversationId: "one" });
  await expect(opened.inbound.receive({ ...request, header: () => null }, accept)).rejects.toMatchObject({
    code: "signature-refused",
  });
  expect(accepted).toEqual([{ conversation: "one", text: "status" }]);
  const message: OutgoingMessage = { conversation: "one", content: "hello", run: null, role: "system", atMs: 0 };
  await opened.outbound?.send(message, new AbortController().signal);
  expect(sent).toEqual([message]);
});

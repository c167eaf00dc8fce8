import * as z from "zod";
import { json } from "./chat-answers.ts";

const slackEvent = z.discriminatedUnion("type", [
  z.looseObject({ type: z.literal("url_verification"), challenge: z.string().max(1_000) }),
  z.looseObject({
    type: z.literal("event_callback"),
    event: z.looseObject({
      type: z.string(),
      subtype: z.string().optional(),
      channel: z
        .string()
        .regex(/^[A-Z0-9]{1,40}$/)
        .optional(),
      channel_type: z.string().optional(),
      user: z.string().optional(),
      bot_id: z.string().nullish(),
      text: z.string().optional(),
      ts: z
        .string()
        .regex(/^[\d.]{1,40}$/)
        .optional(),
      thread_ts: z
        .string()
        .regex(/^[\d.]{1,40}$/)
        .optional(),
    }),
    authorizations: z.array(z.looseObject({ user_id: z.string().nullish() })).nullish(),
  }),
]);
export type SlackEvent = z.infer<typeof slackEvent>;

/** A request of Slack's Events API; null if it is another kind of event or not valid. */
export const readSlackEvent = (body: string): SlackEvent | null => slackEvent.safeParse(json(body)).data ?? null;

const telegramUpdate = z.looseObject({
  update_id: z.int(),
  message: z
    .looseObject({
      message_id: z.int(),
      chat: z.looseObject({ id: z.int(), type: z.string().optional() }),
      from: z.looseObject({ is_bot: z.boolean().optional() }).optional(),
      is_topic_message: z.boolean().optional(),
      message_thread_id: z.int().optional(),
      text: z.string().optional(),
    })
    .optional()
    .catch(undefined),
});
export type TelegramUpdate = z.infer<typeof telegramUpdate>;

/** The updates of a bot. An unreadable update keeps its number, so that it is not requested again. */
export const readTelegramUpdates = (result: unknown): TelegramUpdate[] | null =>
  z.array(telegramUpdate).safeParse(result).data ?? null;

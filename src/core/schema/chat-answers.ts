import * as z from "zod";

const slack = z.looseObject({ ok: z.boolean(), error: z.string().optional() });
const telegram = z.looseObject({
  ok: z.boolean(),
  description: z.string().optional(),
  parameters: z.looseObject({ retry_after: z.number().optional() }).optional(),
  result: z.unknown().optional(),
});

type SlackAnswer = z.infer<typeof slack>;
export type TelegramAnswer = z.infer<typeof telegram>;

/** The response of a method of Slack's web API; null if it is not valid. */
export const readSlackAnswer = (text: string): SlackAnswer | null => slack.safeParse(json(text)).data ?? null;

/** The response of a method of Telegram's bot API; null if it is not valid. */
export const readTelegramAnswer = (text: string): TelegramAnswer | null => telegram.safeParse(json(text)).data ?? null;

/** A JSON document from outside; undefined where it is none. */
export function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // told by what comes of it
  }
}

import type { Conversation } from "../../core/workflow/events.ts";
import type { Message, MessagePage, NewMessage } from "../../core/workflow/store.ts";
import { type MessageRow, storedMessage } from "./run-rows.ts";
import { SQL } from "./run-statements.ts";
import type { Prepare } from "./statements.ts";

const PAGE = 200;

/** Null: the platform has told it before. */
export function writeMessage(sql: Prepare, message: NewMessage, atMs: number): Message | null {
  const { conversation, role, content, run, externalId } = message;
  const { platform, id } = conversation;
  const external_id = externalId ?? null;
  if (external_id !== null && sql(SQL.isHeard).get({ platform, external_id })) return null;
  const row = { platform, conversation: id, role, content, at_ms: atMs, run, external_id };
  const { lastInsertRowid } = sql(SQL.insertMessage).run(row);
  return { id: Number(lastInsertRowid), role, content, atMs, run };
}

/** The messages of a conversation in their order. */
export function pageOfMessages(
  sql: Prepare,
  { platform, id }: Conversation,
  { after = 0, latest = false, limit = PAGE }: MessagePage = {},
): Message[] {
  const text = latest ? SQL.latestMessages : SQL.messages;
  const rows = sql(text).all({ platform, conversation: id, after, limit }) as unknown as MessageRow[];
  return (latest ? rows.reverse() : rows).map(storedMessage);
}

const SUMMARY = `age, id, workflow, user_message, platform, conversation, cwd, steps, holder, status, detail,
  proof,
  current_step_index, metadata, cost_usd, created_at_ms, updated_at_ms`;

interface Which {
  status: boolean;
  conversation: boolean;
  talking: boolean | null;
  oldestFirst: boolean;
}

/** The runs of one status, or of any, in their order. */
export function listingRuns({ status, conversation, talking, oldestFirst }: Which): string {
  const where = [
    ...(status ? ["status = :status"] : []),
    ...(conversation ? ["platform = :platform AND conversation = :conversation"] : []),
    ...(talking === null ? [] : [`platform IS ${talking ? "NOT NULL" : "NULL"}`]),
  ];
  return `SELECT ${SUMMARY} FROM workflow_runs ${where.length > 0 ? `WHERE ${where.join(" AND ")}` : ""}
    ORDER BY age ${oldestFirst ? "" : "DESC"} LIMIT :limit`;
}

/** What runs and messages are kept and found with. */
export const SQL = {
  insert: `INSERT INTO workflow_runs (id, workflow, user_message, platform, conversation, cwd, steps, created_at_ms,
      updated_at_ms, seq, status, detail, current_step_index, metadata, cost_usd, proof)
    VALUES (:id, :workflow, :user_message, :platform, :conversation, :cwd, :steps, :at_ms, :at_ms, :seq, :status, :detail,
      :current_step_index, :metadata, :cost_usd, :proof)`,
  seq: "SELECT seq FROM workflow_runs WHERE id = :id",
  project: `UPDATE workflow_runs SET seq = :seq, status = :status, detail = :detail,
    current_step_index = :current_step_index, metadata = :metadata, cost_usd = :cost_usd, proof = :proof,
    holder = coalesce(:holder, holder), updated_at_ms = :at_ms WHERE id = :id`,
  nextInLine: `SELECT ${SUMMARY} FROM workflow_runs WHERE age IN (
      SELECT min(age) FROM workflow_runs INDEXED BY runs_in_line
        WHERE status = 'queued' AND platform IS NOT NULL GROUP BY platform, conversation)
    ORDER BY age LIMIT :limit`,
  counts: "SELECT status, count(*) AS number FROM workflow_runs GROUP BY status",
  byPrefix: `SELECT ${SUMMARY} FROM workflow_runs WHERE id >= :prefix AND id < :prefix || '~'
    ORDER BY id <> :prefix, age DESC LIMIT 5`,
  insertMessage: `INSERT INTO messages (platform, conversation, role, content, at_ms, run, external_id)
    VALUES (:platform, :conversation, :role, :content, :at_ms, :run, :external_id)`,
  isHeard: "SELECT 1 FROM messages WHERE platform = :platform AND external_id = :external_id",
  messages: `SELECT id, role, content, at_ms, run FROM messages
    WHERE platform = :platform AND conversation = :conversation AND id > :after ORDER BY id LIMIT :limit`,
  latestMessages: `SELECT id, role, content, at_ms, run FROM messages
    WHERE platform = :platform AND conversation = :conversation AND id > :after ORDER BY id DESC LIMIT :limit`,
} as const;

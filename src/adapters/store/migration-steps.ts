/** Completions, all called verified until then, get the level of their last verdict, by the rule of `earlierLevel`. */
export const LEVELS_MIGRATION = `
  -- What states hold has changed: they are the folds of their entries again.
  DELETE FROM snapshots;
  UPDATE tasks SET state = NULL;
  UPDATE workflow_runs SET state = json_set(state, '$.proof', NULL);
  CREATE TEMP TABLE levels AS
    SELECT l.id, json_extract(e.event, '$.verdict.reason') AS words,
      max(c.value ->> 'since' = 'fixed' AND c.value ->> 'optional' IS NULL) AS fixed,
      max(json_array_length(c.value, '$.findings') > 0 AND c.value ->> 'optional' IS NULL
        AND c.value ->> 'label' IS NOT 'judge unavailable') AS judged,
      max(c.value ->> 'command' <> '' AND c.value ->> 'optional' IS NULL
        AND c.value ->> 'label' IS NOT 'judge unavailable') AS ran
    FROM loops l
    JOIN entries e ON e.loop = l.id AND e.seq = (
      SELECT max(seq) FROM entries WHERE loop = l.id AND json_extract(event, '$.type') = 'claim.judged')
    LEFT JOIN json_each(e.event, '$.verdict.checks') c
    WHERE l.reason = 'verified' GROUP BY l.id;
  UPDATE loops SET reason = CASE
      WHEN v.fixed THEN 'verified'
      WHEN v.judged THEN 'judged'
      WHEN v.ran OR v.words LIKE '%every guardrail passes%' THEN 'still-green'
      ELSE 'promise-only' END
    FROM levels v WHERE v.id = loops.id;
  DROP TABLE levels;
`;

/** One table for all entries. Those of tasks and runs are older than the hash chain, so they have no hash. */
export const SUBJECTS = `
  DROP TRIGGER feed_loops;
  DROP TRIGGER feed_tasks;
  DROP TRIGGER feed_forgets;
  DROP TRIGGER feed_runs;
  DROP TRIGGER feed_messages;
  DROP INDEX feed_of_tasks;
  UPDATE feed SET subject = kind || '/' || subject WHERE kind <> 'loop';
  ALTER TABLE feed DROP COLUMN kind;
  ALTER TABLE entries RENAME COLUMN loop TO subject;
  ALTER TABLE snapshots RENAME COLUMN loop TO subject;
  ALTER TABLE inbox RENAME COLUMN loop TO subject;
  ALTER TABLE foreign_entries RENAME COLUMN loop TO subject;
  INSERT INTO entries (subject, seq, epoch, at_ms, event) SELECT 'task/' || task, seq, 0, at_ms, event FROM task_entries;
  INSERT INTO entries (subject, seq, epoch, at_ms, event) SELECT 'run/' || run, seq, 0, at_ms, event FROM run_entries;
  DROP TABLE task_entries;
  DROP TABLE run_entries;
  CREATE INDEX feed_of_tasks ON feed (subject, seq) WHERE subject >= 'task/' AND subject < 'task0';
  CREATE TRIGGER feed_entries AFTER INSERT ON entries BEGIN
    INSERT INTO feed (subject, seq, at_ms) VALUES (NEW.subject, NEW.seq, NEW.at_ms);
  END;
  CREATE TRIGGER feed_messages AFTER INSERT ON messages BEGIN
    INSERT INTO feed (subject, seq, at_ms)
      VALUES ('message/' || NEW.platform || ':' || NEW.conversation, NEW.id, NEW.at_ms);
  END;
  -- States are snapshots, as those of loops; what lists show of them is a column.
  ALTER TABLE tasks ADD COLUMN proof TEXT;
  UPDATE tasks SET proof = json_extract(state, '$.proof') WHERE state IS NOT NULL;
  ALTER TABLE tasks DROP COLUMN state;
  ALTER TABLE workflow_runs ADD COLUMN proof TEXT;
  UPDATE workflow_runs SET proof = json_extract(state, '$.proof') WHERE state IS NOT NULL;
  ALTER TABLE workflow_runs DROP COLUMN state;
`;

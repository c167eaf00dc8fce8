/** The column names are those common in other workflow engines. */
const TABLES = `
  CREATE TABLE workflow_runs (
    age INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    workflow TEXT NOT NULL,
    user_message TEXT NOT NULL,
    platform TEXT,
    conversation TEXT,
    cwd TEXT NOT NULL,
    steps INTEGER NOT NULL,
    holder TEXT NOT NULL DEFAULT '',
    created_at_ms INTEGER NOT NULL,
    updated_at_ms INTEGER NOT NULL,
    -- What follows from its journal.
    seq INTEGER NOT NULL,
    status TEXT NOT NULL,
    detail TEXT NOT NULL,
    current_step_index INTEGER NOT NULL,
    metadata TEXT NOT NULL,
    cost_usd REAL NOT NULL,
    state TEXT
  );
  CREATE INDEX runs_in_line ON workflow_runs (platform, conversation, age) WHERE status = 'queued';
  CREATE INDEX runs_by_status ON workflow_runs (status, age);
  CREATE INDEX runs_by_conversation ON workflow_runs (platform, conversation, status, age) WHERE platform IS NOT NULL;
  CREATE TABLE run_entries (
    run TEXT NOT NULL,
    seq INTEGER NOT NULL,
    at_ms INTEGER NOT NULL,
    event TEXT NOT NULL,
    PRIMARY KEY (run, seq)
  ) WITHOUT ROWID;
  CREATE TABLE messages (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    platform TEXT NOT NULL,
    conversation TEXT NOT NULL,
    role TEXT NOT NULL,
    content TEXT NOT NULL,
    at_ms INTEGER NOT NULL,
    run TEXT,
    external_id TEXT
  );
  CREATE INDEX messages_by_conversation ON messages (platform, conversation, id);
  CREATE UNIQUE INDEX messages_heard ON messages (platform, external_id) WHERE external_id IS NOT NULL;
  ALTER TABLE loops ADD COLUMN run TEXT;
  ALTER TABLE loops ADD COLUMN run_part TEXT;
  CREATE INDEX loops_by_run ON loops (run, created_at_ms) WHERE run IS NOT NULL;
  -- What a state holds has changed: it is the fold of the entries again.
  DELETE FROM snapshots;
`;

/**
 * One order for everything that is written: triggers add a row in the transaction of the entry itself. A row contains
 * no event, only its location, and stays: reading can continue from any id. Ids are never reused, even those of removed
 * tasks.
 */
const FEED = `
  CREATE TABLE feed (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    kind TEXT NOT NULL,
    subject TEXT NOT NULL,
    seq INTEGER NOT NULL,
    at_ms INTEGER NOT NULL
  );
  CREATE INDEX feed_of_tasks ON feed (subject, seq) WHERE kind = 'task';
  -- Older entries in the order of their times; those of one journal always in theirs, whatever its clock did.
  INSERT INTO feed (kind, subject, seq, at_ms)
    SELECT kind, subject, seq, at_ms FROM (
      SELECT 'loop' AS kind, loop AS subject, seq, at_ms, max(at_ms) OVER (PARTITION BY loop ORDER BY seq) AS late
        FROM entries
      UNION ALL
      SELECT 'task', task, seq, at_ms, max(at_ms) OVER (PARTITION BY task ORDER BY seq) FROM task_entries
    ) ORDER BY late, kind, subject, seq;
  CREATE TRIGGER feed_loops AFTER INSERT ON entries BEGIN
    INSERT INTO feed (kind, subject, seq, at_ms) VALUES ('loop', NEW.loop, NEW.seq, NEW.at_ms);
  END;
  CREATE TRIGGER feed_tasks AFTER INSERT ON task_entries BEGIN
    INSERT INTO feed (kind, subject, seq, at_ms) VALUES ('task', NEW.task, NEW.seq, NEW.at_ms);
  END;
  CREATE TRIGGER feed_forgets AFTER DELETE ON task_entries BEGIN
    DELETE FROM feed WHERE kind = 'task' AND subject = OLD.task AND seq = OLD.seq;
  END;
  CREATE TRIGGER feed_runs AFTER INSERT ON run_entries BEGIN
    INSERT INTO feed (kind, subject, seq, at_ms) VALUES ('run', NEW.run, NEW.seq, NEW.at_ms);
  END;
  CREATE TRIGGER feed_messages AFTER INSERT ON messages BEGIN
    INSERT INTO feed (kind, subject, seq, at_ms)
      VALUES ('message', NEW.platform || ':' || NEW.conversation, NEW.id, NEW.at_ms);
  END;
`;

export const RUNS = TABLES + FEED;

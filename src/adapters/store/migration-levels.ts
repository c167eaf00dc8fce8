/**
 * Until then every completion was called verified. Lists show what the last verdict amounts to, by the rule that
 * `earlierLevel` has; the entries stay as they are and are relabelled when they are read.
 */
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

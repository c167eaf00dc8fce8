const SUMMARY = `t.age, t.id, t.spec, t.title, t.priority, t.dependencies, t.assignee, t.status, t.held, t.loop,
  t.proof,
  t.created_at_ms, t.updated_at_ms, coalesce(l.iteration, 0) AS iteration`;
const WHOLE = `${SUMMARY}, t.description, t.metadata, t.completion_spec, t.failure, t.at_hand, l.place, l.max_iterations,
  l.created_at_ms AS started_at_ms,
  CASE WHEN t.at_hand THEN (SELECT json_extract(event, '$.spec.claim.promise') FROM entries WHERE subject = t.loop AND seq = 1)
  END AS promise`;
const LOOP = "LEFT JOIN loops l ON l.id = t.loop";
const FROM = `FROM tasks t ${LOOP}`;

/** Matches the partial indexes, which are also named: otherwise SQLite would read every `todo` task. */
const READY = "t.status = 'todo' AND t.held = 0 AND t.open = 0";
const OPEN = `(SELECT count(*) FROM json_each(tasks.dependencies) d
  JOIN tasks o ON o.id = d.value WHERE o.status <> 'done')`;
const DEPENDANTS = "(SELECT count(*) FROM dependencies d WHERE d.needs = tasks.id)";
const BEGUN = "t.status IN ('implementing', 'reviewing', 'testing', 'qa')";

export interface Which {
  spec: boolean;
  status: boolean;
  only: "ready" | "begun" | null;
  parent: boolean;
}

/** The statement that lists tasks in the order in which they are started. */
export function listing({ spec, status, only, parent }: Which): string {
  const where = [
    ...(only === "ready" ? [READY] : only === "begun" ? [BEGUN] : []),
    ...(spec ? ["t.spec = :spec"] : []),
    ...(parent ? ["json_extract(t.metadata, '$.parent') = :parent"] : []),
    ...(status ? ["t.status IN (SELECT value FROM json_each(:status))"] : []),
  ];
  const index = only === "ready" ? `INDEXED BY ${spec ? "tasks_ready_by_spec" : "tasks_ready"}` : "";
  return `SELECT ${SUMMARY} FROM tasks t ${index} ${LOOP} ${where.length > 0 ? `WHERE ${where.join(" AND ")}` : ""}
    ORDER BY t.priority, t.dependants DESC, t.age LIMIT :limit`;
}

export const SQL = {
  insertSpec: `INSERT INTO specs (id, title, content, implied, created_at_ms)
    VALUES (:id, :title, :content, :implied, :created_at_ms)`,
  takeOverSpec: "UPDATE specs SET title = :title, content = :content, implied = 0 WHERE id = :id AND implied = 1",
  spec: "SELECT id, title, content, created_at_ms FROM specs WHERE id = :id",
  specNamed: "SELECT id FROM specs WHERE id = :id COLLATE NOCASE",
  specs: `SELECT s.id, s.title, s.created_at_ms AS createdAtMs, count(t.spec) AS tasks,
    coalesce(sum(t.status = 'done'), 0) AS done FROM specs s LEFT JOIN tasks t ON t.spec = s.id
    GROUP BY s.id ORDER BY s.created_at_ms, s.id`,
  insertTask: `INSERT INTO tasks
    (id, spec, title, description, priority, dependencies, assignee, metadata, completion_spec, open, dependants,
      created_at_ms, updated_at_ms)
    VALUES (:id, :spec, :title, :description, :priority, :dependencies, :assignee, :metadata, :completion_spec, :open,
      :dependants, :at_ms, :at_ms)`,
  updateTask: `UPDATE tasks SET title = :title, description = :description, priority = :priority,
    dependencies = :dependencies, assignee = :assignee, metadata = :metadata, completion_spec = :completion_spec,
    updated_at_ms = :at_ms WHERE id = :id`,
  removeTask: "DELETE FROM tasks WHERE id = :id",
  taskNamed: "SELECT id FROM tasks WHERE id = :id COLLATE NOCASE",
  taskIds: "SELECT id FROM tasks ORDER BY age",
  task: `SELECT ${WHOLE}, t.seq ${FROM} WHERE t.id = :id`,
  seq: "SELECT seq FROM tasks WHERE id = :id",
  page: `SELECT ${WHOLE} ${FROM} WHERE t.age > :after ORDER BY t.age LIMIT 200`,
  pageOfSpec: `SELECT ${WHOLE} ${FROM} WHERE t.age > :after AND +t.spec = :spec ORDER BY t.age LIMIT 200`,
  counts: "SELECT status, count(*) AS number FROM tasks GROUP BY status",
  countsOfSpec: "SELECT status, count(*) AS number FROM tasks WHERE spec = :spec GROUP BY status",
  needs: "SELECT status, dependencies FROM tasks WHERE id = :id",
  neededBy: "SELECT task FROM dependencies WHERE needs = :id ORDER BY task",
  insertNeed: "INSERT OR IGNORE INTO dependencies (needs, task) VALUES (:needs, :task)",
  removeNeed: "DELETE FROM dependencies WHERE needs = :needs AND task = :task",
  countDependants: "UPDATE tasks SET dependants = dependants + :by WHERE id = :id",
  countOpen: `UPDATE tasks SET open = ${OPEN} WHERE id = :id`,
  countOpenDependants: `UPDATE tasks SET open = ${OPEN} WHERE id IN (SELECT task FROM dependencies WHERE needs = :id)`,
  project: `UPDATE tasks SET seq = :seq, status = :status, held = :held, loop = coalesce(:loop, loop), at_hand = :at_hand,
    failure = :failure, proof = :proof, updated_at_ms = coalesce(:at_ms, updated_at_ms)
    WHERE id = :id`,
  forgetNeeds: `DELETE FROM dependencies WHERE NOT EXISTS (SELECT 1 FROM tasks t, json_each(t.dependencies) d
    WHERE t.id = dependencies.task AND d.value = dependencies.needs)`,
  insertNeeds: `INSERT OR IGNORE INTO dependencies (needs, task)
    SELECT d.value, t.id FROM tasks t, json_each(t.dependencies) d`,
  countAllDependants: `UPDATE tasks SET dependants = ${DEPENDANTS} WHERE dependants <> ${DEPENDANTS}`,
  countAllOpen: `UPDATE tasks SET open = ${OPEN} WHERE open <> ${OPEN}`,
} as const;

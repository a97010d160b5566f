/**
 * The tables, as numbered steps: a step that was released is never changed, only followed by another. What each
 * table is for is said at its definition.
 */
import type { Dialect } from "./sql.ts";

export const MIGRATIONS: readonly ((dialect: Dialect) => readonly string[])[] = [
  ({ textType: text, bytesType: bytes }) => [
    // One row a task. Ids begin with the time of creation, so their order is that of lists.
    `CREATE TABLE tasks (
      id ${text} PRIMARY KEY,
      team_id ${text} NOT NULL,
      service_id ${text} NOT NULL,
      phase ${text} NOT NULL,
      expires_at BIGINT NOT NULL,
      has_bytes BIGINT NOT NULL,
      record TEXT NOT NULL,
      input ${bytes},
      result ${bytes}
    )`,
    "CREATE INDEX tasks_of_team ON tasks (team_id, id)",
    "CREATE INDEX tasks_of_team_phase ON tasks (team_id, phase, id)",
    "CREATE INDEX tasks_of_service ON tasks (team_id, service_id, id)",
    "CREATE INDEX tasks_of_service_phase ON tasks (team_id, service_id, phase, id)",
    "CREATE INDEX tasks_with_bytes ON tasks (expires_at) WHERE has_bytes = 1",
    "CREATE INDEX tasks_without_bytes ON tasks (expires_at) WHERE has_bytes = 0",
    // Tasks that the store may still have. They are in no sum yet. With what lists need, so that a list need not
    // look at the tasks to find the few that are arriving.
    `CREATE TABLE arriving (
      id ${text} PRIMARY KEY,
      team_id ${text} NOT NULL,
      service_id ${text} NOT NULL,
      phase ${text} NOT NULL
    )`,
    "CREATE INDEX arriving_of_team ON arriving (team_id, id)",
    // Settled tasks by the day of their creation since 1970; day -1 holds the sum of all days.
    `CREATE TABLE task_counts (
      team_id ${text} NOT NULL,
      service_id ${text} NOT NULL,
      phase ${text} NOT NULL,
      day BIGINT NOT NULL,
      tasks BIGINT NOT NULL,
      PRIMARY KEY (team_id, day, service_id, phase)
    )`,
    "CREATE INDEX task_counts_of_none ON task_counts (team_id) WHERE tasks = 0",
    // What settled tasks used, by the hour of their end since 1970. It outlives the tasks.
    `CREATE TABLE usage_tasks (
      team_id ${text} NOT NULL,
      service_id ${text} NOT NULL,
      phase ${text} NOT NULL,
      hour BIGINT NOT NULL,
      tasks BIGINT NOT NULL,
      gpu_ms BIGINT NOT NULL,
      slot_ms BIGINT NOT NULL,
      PRIMARY KEY (team_id, hour, service_id, phase)
    )`,
    // Their queue and run times, as histograms.
    `CREATE TABLE usage_times (
      team_id ${text} NOT NULL,
      service_id ${text} NOT NULL,
      kind ${text} NOT NULL,
      hour BIGINT NOT NULL,
      bucket BIGINT NOT NULL,
      tasks BIGINT NOT NULL,
      PRIMARY KEY (team_id, hour, service_id, kind, bucket)
    )`,
    // Until when a blob is needed by an archived task.
    `CREATE TABLE blob_uses (
      team_id ${text} NOT NULL,
      sha256 ${text} NOT NULL,
      expires_at BIGINT NOT NULL,
      PRIMARY KEY (team_id, sha256)
    )`,
    "CREATE INDEX blob_uses_by_expiry ON blob_uses (expires_at)",
  ],
  ({ name, textType: text }) => {
    const createdDay =
      name === "sqlite"
        ? "CAST(json_extract(record, '$.createdAt') / 86400000 AS BIGINT)"
        : "FLOOR((record::json ->> 'createdAt')::numeric / 86400000)::bigint";
    return [
      // Why a task ended without success; null for one that succeeded.
      `ALTER TABLE tasks ADD COLUMN reason ${text}`,
      `UPDATE tasks SET reason = ${
        name === "sqlite"
          ? "json_extract(record, '$.phase.failure.reason')"
          : "record::json #>> '{phase,failure,reason}'"
      } WHERE phase <> 'succeeded'`,
      "CREATE INDEX tasks_of_team_reason ON tasks (team_id, reason, id) WHERE reason IS NOT NULL",
      "CREATE INDEX tasks_of_service_reason ON tasks (team_id, service_id, reason, id) WHERE reason IS NOT NULL",
      `ALTER TABLE arriving ADD COLUMN reason ${text}`,
      "UPDATE arriving SET reason = (SELECT reason FROM tasks WHERE tasks.id = arriving.id)",
      // As task_counts, of the tasks that have a reason.
      `CREATE TABLE reason_counts (
        team_id ${text} NOT NULL,
        service_id ${text} NOT NULL,
        reason ${text} NOT NULL,
        day BIGINT NOT NULL,
        tasks BIGINT NOT NULL,
        PRIMARY KEY (team_id, day, service_id, reason)
      )`,
      "CREATE INDEX reason_counts_of_none ON reason_counts (team_id) WHERE tasks = 0",
      `INSERT INTO reason_counts (team_id, service_id, reason, day, tasks)
       SELECT team_id, service_id, reason, ${createdDay}, COUNT(*) FROM tasks
       WHERE reason IS NOT NULL AND NOT EXISTS (SELECT 1 FROM arriving WHERE arriving.id = tasks.id)
       GROUP BY 1, 2, 3, 4`,
      `INSERT INTO reason_counts (team_id, service_id, reason, day, tasks)
       SELECT team_id, service_id, reason, -1, SUM(tasks) FROM reason_counts GROUP BY 1, 2, 3`,
    ];
  },
  ({ textType: text }) => [
    // One row a change. Ids begin with the time of the change; an empty team or user is none.
    `CREATE TABLE audit_entries (
      id ${text} PRIMARY KEY,
      team_id ${text} NOT NULL,
      user_id ${text} NOT NULL,
      action ${text} NOT NULL,
      object_id ${text} NOT NULL,
      entry TEXT NOT NULL
    )`,
    "CREATE INDEX audit_entries_of_team ON audit_entries (team_id, id)",
    "CREATE INDEX audit_entries_of_user ON audit_entries (team_id, user_id, id)",
    "CREATE INDEX audit_entries_of_action ON audit_entries (team_id, action, id)",
    "CREATE INDEX audit_entries_of_object ON audit_entries (team_id, object_id, id)",
    `CREATE TABLE audit_counts (
      team_id ${text} PRIMARY KEY,
      entries BIGINT NOT NULL
    )`,
  ],
];

/** Tasks as rows, and back. */
import { expiresAt } from "../../domain/retention.ts";
import type { Task } from "../../domain/task.ts";
import type { ArchivedTask, BlobAddress } from "../archive.ts";
import { bytesOf, type SqlRow, type SqlTransaction, type SqlValue, textOf, tuples } from "./sql.ts";

export const TASK_COLUMNS = "id, record, input, result";

/** Those that were not there, which are arriving now. */
export async function insertTasks({ query }: SqlTransaction, tasks: readonly ArchivedTask[]): Promise<void> {
  const rows = tasks.map(rowOf);
  const inserted = await query(
    `INSERT INTO tasks (id, team_id, service_id, phase, expires_at, has_bytes, record, input, result)
     VALUES ${tuples(rows.length, 9)} ON CONFLICT (id) DO NOTHING RETURNING id, team_id, service_id, phase`,
    rows.flat(),
  );
  if (inserted.length === 0) return;
  await query(
    `INSERT INTO arriving (id, team_id, service_id, phase) VALUES ${tuples(inserted.length, 4)}`,
    inserted.flatMap((row) => ["id", "team_id", "service_id", "phase"].map((column) => textOf(row, column))),
  );
}

/** Keeps the blobs of these tasks until the last of them has expired. */
export async function insertBlobUses({ query }: SqlTransaction, tasks: readonly ArchivedTask[]): Promise<void> {
  const uses = new Map<string, readonly [teamId: string, sha256: string, expiresAt: number]>();
  for (const { task } of tasks) {
    const until = endOf(task);
    for (const { teamId, sha256 } of blobsOf(task)) {
      const key = `${teamId}/${sha256}`;
      if ((uses.get(key)?.[2] ?? 0) < until) uses.set(key, [teamId, sha256, until]);
    }
  }
  if (uses.size === 0) return;
  // In order, so that two writers of the same blobs never wait for each other in a circle.
  const rows = [...uses.keys()].sort().flatMap((key) => uses.get(key) ?? []);
  await query(
    `INSERT INTO blob_uses (team_id, sha256, expires_at) VALUES ${tuples(uses.size, 3)}
     ON CONFLICT (team_id, sha256) DO UPDATE SET expires_at = excluded.expires_at
     WHERE excluded.expires_at > blob_uses.expires_at`,
    rows,
  );
}

export function readTask(row: SqlRow): ArchivedTask {
  return { task: recordOf(row), input: bytesOf(row, "input"), result: bytesOf(row, "result") };
}

export function recordOf(row: SqlRow): Task {
  return JSON.parse(textOf(row, "record")) as Task;
}

export function blobsOf({ teamId, input, phase }: Pick<Task, "teamId" | "input" | "phase">): readonly BlobAddress[] {
  const refs = phase.kind === "succeeded" ? [input, phase.result] : [input];
  return refs.filter(({ where }) => where === "blob").map(({ sha256 }) => ({ teamId, sha256 }));
}

function rowOf({ task, input, result }: ArchivedTask): SqlValue[] {
  const { id, teamId, serviceId, phase } = task;
  return [id, teamId, serviceId, phase.kind, endOf(task), 1, JSON.stringify(task), input, result];
}

function endOf(task: Task): number {
  const at = expiresAt(task);
  if (at === null) throw new Error(`task ${task.id} has not ended`);
  return at;
}

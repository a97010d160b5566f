/** Tasks as rows, and back. */
import type { BlobAddress } from "../../blobs/blob-store.ts";
import type { FailureReason } from "../../domain/failure.ts";
import { expiresAt } from "../../domain/retention.ts";
import type { Task } from "../../domain/task.ts";
import type { ArchivedTask } from "../archive.ts";
import { bytesOf, type SqlRow, type SqlTransaction, type SqlValue, textOf, tuples } from "./sql.ts";

export const TASK_COLUMNS = "id, record, input, result";
/** What lists filter by. */
const ARRIVING_COLUMNS = ["id", "team_id", "service_id", "phase", "reason"];

/** Those that were not there, which are arriving now. */
export async function insertTasks({ query }: SqlTransaction, tasks: readonly ArchivedTask[]): Promise<void> {
  const rows = tasks.map(rowOf);
  const inserted = await query(
    `INSERT INTO tasks (id, team_id, service_id, phase, reason, expires_at, has_bytes, record, input, result)
     VALUES ${tuples(rows.length, 10)} ON CONFLICT (id) DO NOTHING RETURNING ${ARRIVING_COLUMNS.join(", ")}`,
    rows.flat(),
  );
  if (inserted.length === 0) return;
  await query(
    `INSERT INTO arriving (${ARRIVING_COLUMNS.join(", ")}) VALUES ${tuples(inserted.length, ARRIVING_COLUMNS.length)}`,
    inserted.flatMap((row) => ARRIVING_COLUMNS.map((column) => row[column] as SqlValue)),
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

function blobsOf({ teamId, input, phase }: Pick<Task, "teamId" | "input" | "phase">): readonly BlobAddress[] {
  const refs = phase.kind === "succeeded" ? [input, phase.result] : [input];
  return refs.filter(({ where }) => where === "blob").map(({ sha256 }) => ({ teamId, sha256 }));
}

function rowOf({ task, input, result }: ArchivedTask): SqlValue[] {
  const { id, teamId, serviceId, phase } = task;
  return [id, teamId, serviceId, phase.kind, reasonOf(task), endOf(task), 1, JSON.stringify(task), input, result];
}

/** Null for a task that succeeded. */
export function reasonOf({ phase }: Pick<Task, "phase">): FailureReason | null {
  return "failure" in phase ? phase.failure.reason : null;
}

function endOf(task: Task): number {
  const at = expiresAt(task);
  if (at === null) throw new Error(`task ${task.id} has not ended`);
  return at;
}

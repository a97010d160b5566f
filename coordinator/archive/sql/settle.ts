/** Tasks that the store no longer has: from now on they are in the sums. */
import { bucketOf } from "../../domain/duration-histogram.ts";
import type { Task } from "../../domain/task.ts";
import { usageOf } from "../../domain/task-usage.ts";
import { reasonOf, recordOf } from "./archived-rows.ts";
import { ALL_DAYS, dayOf } from "./days.ts";
import { type SqlTransaction, type SqlValue, textOf, tuples } from "./sql.ts";

const HOUR_MS = 3_600_000;

/** Counts each task once, however often it is called: only what is arriving can settle. */
export async function settleTasks(transaction: SqlTransaction, ids: readonly string[]): Promise<void> {
  const { query } = transaction;
  const settled = await query(`DELETE FROM arriving WHERE id IN ${tuples(1, ids.length)} RETURNING id`, ids);
  if (settled.length === 0) return;
  const rows = await query(
    `SELECT record FROM tasks WHERE id IN ${tuples(1, settled.length)}`,
    settled.map((row) => textOf(row, "id")),
  );
  const tasks = rows.map(recordOf);
  await addCounts(transaction, tasks, 1);
  await addUsage(transaction, tasks);
}

/** `sign` is -1 for tasks that leave. */
export async function addCounts(transaction: SqlTransaction, tasks: readonly Task[], sign: 1 | -1): Promise<void> {
  const phases = new Cells(1);
  const reasons = new Cells(1);
  for (const task of tasks) {
    const { teamId, serviceId, phase, createdAt } = task;
    const reason = reasonOf(task);
    for (const day of [dayOf(createdAt), ALL_DAYS]) {
      phases.add([teamId, serviceId, phase.kind, day], [sign]);
      if (reason !== null) reasons.add([teamId, serviceId, reason, day], [sign]);
    }
  }
  const sums = ["tasks"];
  await phases.write(transaction, { table: "task_counts", key: ["team_id", "service_id", "phase", "day"], sums });
  await reasons.write(transaction, { table: "reason_counts", key: ["team_id", "service_id", "reason", "day"], sums });
}

async function addUsage(transaction: SqlTransaction, tasks: readonly Task[]): Promise<void> {
  const used = new Cells(3);
  const times = new Cells(1);
  for (const task of tasks) {
    const { teamId, serviceId } = task;
    const { phase, finishedAt, gpuMs, slotMs, queueMs, runMs } = usageOf(task);
    const hour = Math.floor(finishedAt / HOUR_MS);
    used.add([teamId, serviceId, phase, hour], [1, gpuMs, slotMs]);
    if (queueMs !== null) times.add([teamId, serviceId, "queue", hour, bucketOf(queueMs)], [1]);
    if (runMs !== null) times.add([teamId, serviceId, "run", hour, bucketOf(runMs)], [1]);
  }
  await used.write(transaction, {
    table: "usage_tasks",
    key: ["team_id", "service_id", "phase", "hour"],
    sums: ["tasks", "gpu_ms", "slot_ms"],
  });
  await times.write(transaction, {
    table: "usage_times",
    key: ["team_id", "service_id", "kind", "hour", "bucket"],
    sums: ["tasks"],
  });
}

type Key = readonly (string | number)[];

/** Sums by key, to be added to those of a table. */
class Cells {
  readonly #width: number;
  readonly #cells = new Map<string, { readonly key: Key; readonly sums: number[] }>();

  constructor(width: number) {
    this.#width = width;
  }

  add(key: Key, amounts: readonly number[]): void {
    const name = key.join("/");
    let cell = this.#cells.get(name);
    if (cell === undefined) {
      cell = { key, sums: Array.from({ length: this.#width }, () => 0) };
      this.#cells.set(name, cell);
    }
    for (const [index, amount] of amounts.entries()) cell.sums[index] = (cell.sums[index] ?? 0) + amount;
  }

  /** In the order of the keys, so that two writers never wait for each other in a circle. */
  async write(
    { query }: SqlTransaction,
    { table, key, sums }: { readonly table: string; readonly key: readonly string[]; readonly sums: readonly string[] },
  ): Promise<void> {
    if (this.#cells.size === 0) return;
    const columns = [...key, ...sums];
    const values: SqlValue[] = [...this.#cells.keys()].sort().flatMap((name) => {
      const cell = this.#cells.get(name);
      return cell === undefined ? [] : [...cell.key, ...cell.sums];
    });
    await query(
      `INSERT INTO ${table} (${columns.join(", ")}) VALUES ${tuples(this.#cells.size, columns.length)}
       ON CONFLICT (${key.join(", ")}) DO UPDATE SET
       ${sums.map((column) => `${column} = ${table}.${column} + excluded.${column}`).join(", ")}`,
      values,
    );
  }
}

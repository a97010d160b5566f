/** Copies a complete archive into an empty one, its id included: what a store does not notice. */
import { numberOf, type Sql, type SqlRow, type SqlValue, textOf, tuples } from "./sql.ts";

interface Table {
  readonly name: string;
  readonly key: readonly string[];
  readonly others: readonly string[];
}

const TABLES: readonly Table[] = [
  {
    name: "tasks",
    key: ["id"],
    others: ["team_id", "service_id", "phase", "reason", "expires_at", "has_bytes", "record", "input", "result"],
  },
  { name: "arriving", key: ["id"], others: ["team_id", "service_id", "phase", "reason"] },
  { name: "task_counts", key: ["team_id", "day", "service_id", "phase"], others: ["tasks"] },
  { name: "reason_counts", key: ["team_id", "day", "service_id", "reason"], others: ["tasks"] },
  { name: "usage_tasks", key: ["team_id", "hour", "service_id", "phase"], others: ["tasks", "gpu_ms", "slot_ms"] },
  { name: "usage_times", key: ["team_id", "hour", "service_id", "kind", "bucket"], others: ["tasks"] },
  { name: "blob_uses", key: ["team_id", "sha256"], others: ["expires_at"] },
  { name: "audit_entries", key: ["id"], others: ["team_id", "user_id", "action", "object_id", "entry"] },
  { name: "audit_counts", key: ["team_id"], others: ["entries"] },
];

const PAGE_ROWS = 500;

/** Both at the newest schema, and used by nobody else. Returns how many tasks were copied. */
export async function copyArchive(from: Sql, to: Sql): Promise<number> {
  if ((await countTasks(to)) > 0) throw new Error("the archive to copy to holds tasks already: name an empty one");
  for (const table of TABLES) await copyTable(from, to, table);
  const rows = await from.read(({ query }) => query("SELECT id FROM archive"));
  // Last: until then it is not the store's.
  await to.write(({ query }) =>
    query("UPDATE archive SET id = ?", [rows[0] === undefined ? "" : textOf(rows[0], "id")]),
  );
  return await countTasks(to);
}

async function copyTable(from: Sql, to: Sql, { name, key, others }: Table): Promise<void> {
  const columns = [...key, ...others];
  const order = key.join(", ");
  let last: readonly SqlValue[] | null = null;
  for (;;) {
    const after: string = last === null ? "" : `WHERE (${order}) > ${tuples(1, key.length)}`;
    const sql = `SELECT ${columns.join(", ")} FROM ${name} ${after} ORDER BY ${order} LIMIT ?`;
    const values: readonly SqlValue[] = [...(last ?? []), PAGE_ROWS];
    const rows: readonly SqlRow[] = await from.read(({ query }) => query(sql, values));
    const end = rows.at(-1);
    if (end === undefined) return;
    const insert = `INSERT INTO ${name} (${columns.join(", ")}) VALUES ${tuples(rows.length, columns.length)}`;
    await to.write(({ query }) =>
      query(
        insert,
        rows.flatMap((row) => valuesOf(row, columns)),
      ),
    );
    last = valuesOf(end, key);
  }
}

function valuesOf(row: SqlRow, columns: readonly string[]): SqlValue[] {
  return columns.map((column) => row[column] as SqlValue);
}

async function countTasks(sql: Sql): Promise<number> {
  const rows = await sql.read(({ query }) => query("SELECT COUNT(*) AS n FROM tasks"));
  return rows[0] === undefined ? 0 : numberOf(rows[0], "n");
}

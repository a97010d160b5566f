/** Brings a database to the newest schema, and returns the archive's id, which the first start makes. */
import { MIGRATIONS } from "./migrations.ts";
import { numberOf, type Sql, textOf } from "./sql.ts";

/** `freshId` becomes the archive's if it has none yet. */
export async function migrate(sql: Sql, freshId: string): Promise<string> {
  return await sql.migrate(async ({ query }) => {
    await query("CREATE TABLE IF NOT EXISTS archive (only_row BIGINT PRIMARY KEY, id TEXT, version BIGINT)");
    await query("INSERT INTO archive (only_row, id, version) VALUES (1, ?, 0) ON CONFLICT DO NOTHING", [freshId]);
    const row = (await query("SELECT id, version FROM archive"))[0];
    if (row === undefined) throw new Error("the archive has no identity");
    const version = numberOf(row, "version");
    if (version > MIGRATIONS.length) {
      throw new Error(`the archive has schema ${version}; this program knows ${MIGRATIONS.length}: use a newer one`);
    }
    for (const step of MIGRATIONS.slice(version)) for (const statement of step(sql.dialect)) await query(statement);
    if (version < MIGRATIONS.length) await query("UPDATE archive SET version = ?", [MIGRATIONS.length]);
    return textOf(row, "id");
  });
}

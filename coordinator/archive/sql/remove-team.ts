/** What the archive has of a team that was deleted; the audit log stays. */
import { type SqlTransaction, tuples } from "./sql.ts";

const OF_TEAM = ["task_counts", "reason_counts", "usage_tasks", "usage_times", "blob_uses"];

export async function removeOfTeam({ query }: SqlTransaction, teamId: string, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) {
    for (const table of ["arriving", "tasks"]) {
      await query(`DELETE FROM ${table} WHERE team_id = ? AND id IN ${tuples(1, ids.length)}`, [teamId, ...ids]);
    }
  }
  for (const table of OF_TEAM) await query(`DELETE FROM ${table} WHERE team_id = ?`, [teamId]);
}

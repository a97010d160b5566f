import { Command } from "commander";
import { type AuditQuery, listAudit } from "../api/audit.ts";
import type { Caller } from "../api/caller.ts";
import { listMembers } from "../api/members.ts";
import type { AuditEntryRecord } from "../api/records.ts";
import type { Context } from "../context/context.ts";
import { parseTimestamp } from "../input/timestamp.ts";
import { changeText, objectText } from "../output/audit-text.ts";
import { type Cell, columns } from "../output/columns.ts";
import { activeTeam } from "../session/active-team.ts";
import { openSession } from "../session/session.ts";
import { limitUpTo } from "./counts.ts";
import { examples } from "./examples.ts";
import { pickMember } from "./member-argument.ts";
import { notEmpty } from "./not-empty.ts";
import { withOutput } from "./output-options.ts";
import { type TeamOption, withTeam } from "./team-option.ts";

const LIMIT = 50;
const LIMIT_MAX = 10_000;
const USER_ID = /^[0-9a-f]{32}$/;

interface Options extends TeamOption {
  readonly user?: string;
  readonly action?: string;
  readonly object?: string;
  readonly after?: string;
  readonly before?: string;
  readonly limit: number;
}

/** `elastic audit`: who changed what in the team, newest first. */
export function audit(context: Context): Command {
  return withOutput(withTeam(new Command("audit")))
    .description("list who changed what in the team, the newest first; for its owners and admins")
    .option("--user <name or id>", "only changes by this user", notEmpty("user"))
    .option("--action <action>", "only of this kind, such as createService", notEmpty("action"))
    .option("--object <id>", "only of this service, key, member, …", notEmpty("id"))
    .option("--after <time>", "only at or after, as YYYY-MM-DDTHH:MM:SS in UTC", parseTimestamp)
    .option("--before <time>", "only before", parseTimestamp)
    .option("--limit <count>", `how many at most, up to ${LIMIT_MAX}`, limitUpTo(LIMIT_MAX), LIMIT)
    .addHelpText(
      "after",
      examples(
        "elastic audit",
        "elastic audit --action createKey --user grace",
        "elastic audit --object <service_id> --after 2026-11-20T00:00:00 --json",
      ),
    )
    .action(async ({ team: named, limit, ...options }: Options) => {
      const caller = await openSession(context);
      const team = await activeTeam(caller, named);
      const query = await queryOf(caller, team.team_id, options);
      const entries = await listAudit(caller, team.team_id, { query, limit });
      const head = ["TIME", "WHO", "FROM", "ACTION", "OBJECT", "CHANGE"];
      const text = entries.length === 0 ? "There are no such changes." : columns(head, entries.map(rowOf));
      context.printer.result({ json: entries, text });
      if (entries.length === limit) context.printer.note(`The newest ${limit}; --limit shows more.`);
    });
}

/** A user who has left the team is named by the id. */
async function queryOf(
  caller: Caller,
  teamId: string,
  { user, action, object, after, before }: Omit<Options, "limit" | "team">,
): Promise<AuditQuery> {
  const byId = user === undefined || USER_ID.test(user);
  const userId = byId ? user : pickMember(await listMembers(caller, teamId), user).user_id;
  return {
    ...(userId === undefined ? {} : { user_id: userId }),
    ...(action === undefined ? {} : { action }),
    ...(object === undefined ? {} : { object_id: object }),
    ...(after === undefined ? {} : { from: after }),
    ...(before === undefined ? {} : { to: before }),
  };
}

function rowOf(entry: AuditEntryRecord): readonly Cell[] {
  const who = entry.user_name ?? entry.user_id ?? "operator";
  return [entry.created, who, entry.address, entry.action, objectText(entry), changeText(entry)];
}

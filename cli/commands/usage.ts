import { Command } from "commander";
import type { UsageDayRecord, UsageRecord } from "../api/records.ts";
import { getUsage, listUsageDays, type UsageRange } from "../api/usage.ts";
import type { Context } from "../context/context.ts";
import { parseTimestamp } from "../input/timestamp.ts";
import { type Cell, columns } from "../output/columns.ts";
import { activeTeam } from "../session/active-team.ts";
import { openSession } from "../session/session.ts";
import { examples } from "./examples.ts";
import { withOutput } from "./output-options.ts";
import { type TeamOption, withTeam } from "./team-option.ts";

interface Options extends TeamOption {
  readonly after?: string;
  readonly before?: string;
  readonly byDay?: true;
}

const COUNTS = ["SUCCESS", "FAILED", "OTHERS", "GPU SECONDS", "SLOT SECONDS"];

/** `elastic usage`: what the team's tasks used, by service, or by day and service. */
export function usage(context: Context): Command {
  return withOutput(withTeam(new Command("usage")))
    .description("show what the team's tasks used in the last 30 days, by service")
    .option("--after <time>", "from then on, as YYYY-MM-DDTHH:MM:SS in UTC", parseTimestamp)
    .option("--before <time>", "until then", parseTimestamp)
    .option("--by-day", "one line a day and service")
    .addHelpText(
      "after",
      examples(
        "elastic usage",
        "elastic usage --by-day --after 2026-11-01T00:00:00 --before 2026-12-01T00:00:00 --json",
      ),
    )
    .action(async ({ team: named, byDay, ...options }: Options) => {
      const caller = await openSession(context);
      const { team_id: teamId } = await activeTeam(caller, named);
      const range = rangeOf(options);
      if (byDay) {
        const days = await listUsageDays(caller, teamId, range);
        const rows = days.map((day) => [day.day, nameOf(day), ...countsOf(day)]);
        context.printer.result({ json: days, text: textOf(["DAY", "SERVICE", ...COUNTS], rows) });
        return;
      }
      const used = await getUsage(caller, teamId, range);
      const rows = used.services.map((service) => [nameOf(service), ...countsOf(service)]);
      const total = rows.length > 1 ? [["total", ...countsOf(used.total)]] : [];
      context.printer.result({ json: used, text: textOf(["SERVICE", ...COUNTS], [...rows, ...total]) });
    });
}

function textOf(head: readonly string[], rows: readonly (readonly Cell[])[]): string {
  return rows.length === 0 ? "No tasks ended in that time." : columns(head, rows);
}

function rangeOf({ after, before }: Pick<Options, "after" | "before">): UsageRange {
  return { ...(after === undefined ? {} : { from: after }), ...(before === undefined ? {} : { to: before }) };
}

/** A service that was deleted long ago has no name any more. */
function nameOf({ service_name: name, service_id: id }: Pick<UsageDayRecord, "service_name" | "service_id">): string {
  return name === "" ? id : name;
}

function countsOf({
  tasks,
  gpu_seconds: gpu,
  slot_seconds: slot,
}: Pick<UsageRecord["total"], "tasks" | "gpu_seconds" | "slot_seconds">) {
  const others = tasks.cancelled + tasks.timed_out + tasks.expired;
  return [tasks.succeeded, tasks.failed, others, gpu.toFixed(1), slot.toFixed(1)].map(String);
}

/** A list of tasks as a file. They are links, so that the browser writes the file while it comes. */
import { Button, Group, Tooltip } from "@mantine/core";
import { activeTeam } from "../active-team/active-team.ts";
import { queryOf, type TaskFilter } from "./task-filter.ts";

/** As many as the service exports at most. */
const TASKS_MAX = 100_000;
const FORMATS = [
  { format: "csv", label: "Export CSV" },
  { format: "json", label: "Export JSON" },
] as const;

interface ExportLinksProps {
  readonly filter: TaskFilter;
  /** How many tasks it has. */
  readonly total: number;
}

export function ExportLinks({ filter, total }: ExportLinksProps) {
  if (total === 0) return null;
  const isTooMany = total > TASKS_MAX;
  return (
    <Group gap="xs">
      {FORMATS.map(({ format, label }) =>
        isTooMany ? (
          <Tooltip key={format} label={`An export has at most ${TASKS_MAX.toLocaleString()} tasks. Filter by time.`}>
            <Button variant="default" data-disabled aria-disabled onClick={(event) => event.preventDefault()}>
              {label}
            </Button>
          </Tooltip>
        ) : (
          <Button key={format} component="a" variant="default" href={addressOf(filter, format)} download>
            {label}
          </Button>
        ),
      )}
    </Group>
  );
}

/** A link carries no header, so the team is in the address. */
function addressOf(filter: TaskFilter, format: string): string {
  const team = activeTeam();
  const query = new URLSearchParams({ format, ...queryOf(filter), ...(team === null ? {} : { team_id: team }) });
  return `/v1/tasks/export?${query}`;
}

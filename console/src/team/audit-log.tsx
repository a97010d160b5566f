/** Who changed what in the team, newest first. What is filtered by is in the address, so that a link shows the same. */
import { Anchor, Button, Code, Group, Stack, Table, Text } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { ColumnNames } from "../layout/column-names.tsx";
import { QueryState } from "../layout/query-state.tsx";
import { Time } from "../layout/time.tsx";
import type { Team } from "../session/use-team.ts";
import type { AuditFilter } from "./audit-filter.ts";
import { AuditFilters } from "./audit-filters.tsx";
import { auditQuery } from "./audit-query.ts";
import { type AuditEntry, changeLines } from "./change-lines.ts";

export function AuditLog({ team: { team_id: teamId } }: { readonly team: Team }) {
  const filter = useSearch({ from: "/inside/settings/team" });
  const navigate = useNavigate({ from: "/settings/team" });
  const log = useInfiniteQuery(auditQuery(teamId, filter));
  const show = (search: AuditFilter) => void navigate({ search, replace: true, resetScroll: false });
  return (
    <Stack>
      <AuditFilters teamId={teamId} filter={filter} onChange={show} />
      <QueryState
        query={log}
        empty={({ pages }) => (pages[0]?.items.length === 0 ? "There are no such changes." : null)}
      >
        {({ pages }) => (
          <EntryTable
            entries={pages.flatMap(({ items }) => items)}
            onChoose={(object_id) => show({ ...filter, object_id })}
          />
        )}
      </QueryState>
      {log.hasNextPage && (
        <Group justify="center">
          <Button variant="default" loading={log.isFetchingNextPage} onClick={() => void log.fetchNextPage()}>
            Load More
          </Button>
        </Group>
      )}
    </Stack>
  );
}

interface EntryTableProps {
  readonly entries: readonly AuditEntry[];
  /** Shows what else was done to an object. */
  readonly onChoose: (objectId: string) => void;
}

function EntryTable({ entries, onChoose }: EntryTableProps) {
  return (
    <Table.ScrollContainer minWidth={1000}>
      <Table verticalSpacing="xs">
        <ColumnNames names={["Time", "Who", "From", "Action", "Object", "Change"]} />
        <Table.Tbody>
          {entries.map((entry) => (
            <EntryRow key={entry.entry_id} of={entry} onChoose={onChoose} />
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function EntryRow({ of: entry, onChoose }: { readonly of: AuditEntry } & Pick<EntryTableProps, "onChoose">) {
  const { object } = entry;
  return (
    <Table.Tr>
      <Table.Td style={{ whiteSpace: "nowrap" }}>
        <Time of={entry.created} />
      </Table.Td>
      <Table.Td>
        {entry.user_name ?? entry.user_id ?? (entry.credential.kind === "source_host" ? "Source host" : "Operator")}
      </Table.Td>
      <Table.Td>
        <Text size="sm">{entry.address ?? "none"}</Text>
        <Text size="sm" c="dimmed">
          {entry.credential.kind}
        </Text>
      </Table.Td>
      <Table.Td>
        <Code>{entry.action}</Code>
      </Table.Td>
      <Table.Td>
        <Anchor
          component="button"
          type="button"
          ta="start"
          title={`Changes of ${object.id}`}
          onClick={() => onChoose(object.id)}
        >
          {object.kind.replaceAll("_", " ")} {object.name ?? object.id}
        </Anchor>
      </Table.Td>
      <Table.Td>
        {changeLines(entry).map((line) => (
          <Text key={line} size="sm" style={{ overflowWrap: "anywhere" }}>
            {line}
          </Text>
        ))}
        {entry.also.length > 0 && (
          <Text size="sm" c="dimmed">
            and {entry.also.map(({ kind, name, id }) => `${kind} ${name ?? id}`).join(", ")}
            {(entry.also_left_out ?? 0) > 0 && `, and ${entry.also_left_out} more`}
          </Text>
        )}
      </Table.Td>
    </Table.Tr>
  );
}

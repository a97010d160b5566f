/** All users and teams of the service. */
import { Button, Stack, Table, TextInput, Title } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { ColumnNames } from "../layout/column-names.tsx";
import { PageTitle } from "../layout/page-title.tsx";
import { QueryState } from "../layout/query-state.tsx";
import { Time } from "../layout/time.tsx";
import { CreateUserDialog } from "./create-user-dialog.tsx";
import { readNameFilter } from "./name-filter.ts";
import { type OperatedTeam, teamsQuery, usersQuery } from "./operators-query.ts";
import { Pages } from "./pages.tsx";
import { UserTable } from "./user-table.tsx";

export function UsersPage() {
  const filter = useSearch({ from: "/inside/operators/users" });
  const navigate = useNavigate({ from: "/operators/users" });
  const users = useQuery(usersQuery(filter));
  const teams = useQuery(teamsQuery(readNameFilter({ name: filter.name })));
  const [isCreating, { open, close }] = useDisclosure(false);
  const show = (changed: Readonly<Record<string, unknown>>) =>
    navigate({ search: readNameFilter({ ...filter, page: undefined, ...changed }), replace: true });
  return (
    <Stack>
      <PageTitle title="Users and teams">
        <Button onClick={open}>Create User</Button>
      </PageTitle>
      <TextInput
        label="Name"
        description="Of users and teams."
        maw={320}
        value={filter.name ?? ""}
        onChange={(event) => void show({ name: event.currentTarget.value })}
      />
      <Title order={2} size="h3">
        Users
      </Title>
      <QueryState query={users} empty={({ items }) => (items.length === 0 ? "There are no such users." : null)}>
        {(page) => (
          <>
            <UserTable users={page.items} />
            <Pages of={page} onChange={(next) => void show({ page: next })} />
          </>
        )}
      </QueryState>
      <Title order={2} size="h3">
        Teams
      </Title>
      <QueryState query={teams} empty={({ items }) => (items.length === 0 ? "There are no such teams." : null)}>
        {({ items }) => <TeamTable teams={items} />}
      </QueryState>
      {isCreating && <CreateUserDialog onClose={close} />}
    </Stack>
  );
}

function quotaText({ name, used, max }: OperatedTeam["quotas"][number]): string {
  return `${used} of ${max.toLocaleString()} ${name.replaceAll("_", " ")}`;
}

function TeamTable({ teams }: { readonly teams: readonly OperatedTeam[] }) {
  return (
    <Table.ScrollContainer minWidth={800}>
      <Table>
        <ColumnNames names={["Team", "Owners", "Quotas", "Created"]} />
        <Table.Tbody>
          {teams.map((team) => (
            <Table.Tr key={team.team_id}>
              <Table.Td miw="8rem" style={{ overflowWrap: "anywhere" }}>
                {team.name}
              </Table.Td>
              <Table.Td>{team.owners}</Table.Td>
              <Table.Td>{team.quotas.map(quotaText).join(", ")}</Table.Td>
              <Table.Td>
                <Time of={team.created} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

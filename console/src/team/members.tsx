/** Who is in the team, and as what. */
import { Badge, Group, Select, Table, Text } from "@mantine/core";
import { useMutation, useQuery, useQueryClient, useSuspenseQuery } from "@tanstack/react-query";
import { api } from "../api/client.ts";
import { dataOf } from "../api/problem.ts";
import { ColumnNames } from "../layout/column-names.tsx";
import { MutationError } from "../layout/mutation-error.tsx";
import { QueryState } from "../layout/query-state.tsx";
import { Time } from "../layout/time.tsx";
import { type Member, membersQuery } from "../members/members-query.ts";
import { type Role, rolesBelow } from "../session/role.ts";
import { meQuery } from "../session/use-me.ts";
import type { Team } from "../session/use-team.ts";
import { EndMembership } from "./end-membership.tsx";

export function Members({ team }: { readonly team: Team }) {
  const members = useQuery(membersQuery(team.team_id));
  return (
    <QueryState query={members}>
      {(all) => (
        <Table.ScrollContainer minWidth={560}>
          <Table>
            <ColumnNames names={["Name", "Role", "Since", "Action"]} />
            <Table.Tbody>
              {all.map((member) => (
                <MemberRow key={member.user_id} team={team} member={member} />
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
    </QueryState>
  );
}

interface MemberProps {
  readonly team: Team;
  readonly member: Member;
}

function MemberRow({ team, member }: MemberProps) {
  const { data: me } = useSuspenseQuery(meQuery);
  const isOwn = member.user_id === me.user_id;
  const mayChange = rolesBelow(team.role).includes(member.role);
  return (
    <Table.Tr>
      <Table.Td>
        <Group gap="xs">
          <Text style={{ overflowWrap: "anywhere" }}>{member.name}</Text>
          {isOwn && <Badge tt="none">You</Badge>}
        </Group>
      </Table.Td>
      <Table.Td>{mayChange ? <RoleSelect team={team} member={member} /> : member.role}</Table.Td>
      <Table.Td>
        <Time of={member.since} />
      </Table.Td>
      <Table.Td>{(isOwn || mayChange) && <EndMembership team={team} member={member} isOwn={isOwn} />}</Table.Td>
    </Table.Tr>
  );
}

function RoleSelect({ team, member }: MemberProps) {
  const queries = useQueryClient();
  const change = useMutation({
    mutationFn: (role: Role) => {
      const path = { id: team.team_id, userId: member.user_id };
      return dataOf(api.PATCH("/v1/teams/{id}/members/{userId}", { params: { path }, body: { role } }));
    },
    onSettled: () =>
      Promise.all([queries.invalidateQueries(membersQuery(team.team_id)), queries.invalidateQueries(meQuery)]),
  });
  return (
    <>
      <Select
        aria-label={`Role of ${member.name}`}
        w={130}
        allowDeselect={false}
        value={change.isPending ? change.variables : member.role}
        data={[...rolesBelow(team.role)]}
        disabled={change.isPending}
        onChange={(role) => role !== null && role !== member.role && change.mutate(role as Role)}
      />
      <MutationError of={change} />
    </>
  );
}

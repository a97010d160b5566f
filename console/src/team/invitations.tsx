/** The invitations into the team that can still be accepted. Their codes were shown once. */
import { Table, Text } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api } from "../api/client.ts";
import { dataOf } from "../api/problem.ts";
import { ColumnNames } from "../layout/column-names.tsx";
import { ConfirmButton } from "../layout/confirm-button.tsx";
import { QueryState } from "../layout/query-state.tsx";
import { Time } from "../layout/time.tsx";
import { membersQuery } from "../members/members-query.ts";
import type { Team } from "../session/use-team.ts";
import { type Invitation, invitationsQuery } from "./team-queries.ts";

export function Invitations({ team }: { readonly team: Team }) {
  const invitations = useQuery(invitationsQuery(team.team_id));
  const { data: members = [] } = useQuery(membersQuery(team.team_id));
  const nameOf = (id: string) => members.find(({ user_id }) => user_id === id)?.name ?? id;
  return (
    <QueryState query={invitations} empty={({ total }) => (total === 0 ? "There are no open invitations." : null)}>
      {({ items }) => (
        <Table.ScrollContainer minWidth={560}>
          <Table>
            <ColumnNames names={["Role", "Created by", "Created", "Expires", "Action"]} />
            <Table.Tbody>
              {items.map((invitation) => (
                <Table.Tr key={invitation.invitation_id}>
                  <Table.Td>{invitation.role}</Table.Td>
                  <Table.Td>{nameOf(invitation.creator_id)}</Table.Td>
                  <Table.Td>
                    <Time of={invitation.created} />
                  </Table.Td>
                  <Table.Td>
                    <Time of={invitation.expires} />
                  </Table.Td>
                  <Table.Td>
                    <Revoke of={invitation} />
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
    </QueryState>
  );
}

function Revoke({ of: { invitation_id: id, team_id: teamId, role } }: { readonly of: Invitation }) {
  const queries = useQueryClient();
  const revocation = useMutation({
    mutationFn: () => dataOf(api.DELETE("/v1/invitations/{id}", { params: { path: { id } } })),
    onSettled: () => queries.invalidateQueries(invitationsQuery(teamId)),
  });
  return (
    <ConfirmButton
      label="Revoke"
      action={`Revoke the invitation of a new ${role}`}
      color="red"
      variant="light"
      size="compact-sm"
      mutation={revocation}
    >
      <Text>Nobody can join with its code any more.</Text>
    </ConfirmButton>
  );
}

/** Users, with what an operator does for them. */
import { Badge, Button, Group, Modal, Table, Text } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "../api/client.ts";
import { dataOf } from "../api/problem.ts";
import { ColumnNames } from "../layout/column-names.tsx";
import { ConfirmButton } from "../layout/confirm-button.tsx";
import { MutationError } from "../layout/mutation-error.tsx";
import { Time } from "../layout/time.tsx";
import { LoginLink } from "./login-link.tsx";
import type { OperatedUser } from "./operators-query.ts";

export function UserTable({ users }: { readonly users: readonly OperatedUser[] }) {
  return (
    <Table.ScrollContainer minWidth={800}>
      <Table>
        <ColumnNames names={["User", "Teams", "Access keys", "Sessions", "Created", "Actions"]} />
        <Table.Tbody>
          {users.map((user) => (
            <Table.Tr key={user.user_id}>
              <Table.Td style={{ overflowWrap: "anywhere" }}>
                {user.name} {user.operator && <Badge tt="none">Operator</Badge>}
              </Table.Td>
              <Table.Td>{user.teams.map(({ team_name: name, role }) => `${name} (${role})`).join(", ")}</Table.Td>
              <Table.Td>{user.open_keys}</Table.Td>
              <Table.Td>{user.sessions}</Table.Td>
              <Table.Td>
                <Time of={user.created} />
              </Table.Td>
              <Table.Td>
                <UserActions of={user} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function UserActions({ of: { user_id: id, name, operator: isOperator } }: { readonly of: OperatedUser }) {
  const queries = useQueryClient();
  const params = { path: { id } };
  const link = useMutation({
    mutationFn: () => dataOf(api.POST("/v1/operators/users/{id}/login-links", { params })),
    gcTime: 0,
  });
  const lockOut = useMutation({
    mutationFn: () => dataOf(api.POST("/v1/operators/users/{id}/lock-out", { params })),
    onSettled: () => queries.invalidateQueries({ queryKey: ["operators"] }),
  });
  return (
    <Group gap="xs" wrap="nowrap">
      {!isOperator && (
        <Button
          size="compact-sm"
          variant="default"
          aria-label={`Login link for ${name}`}
          loading={link.isPending}
          onClick={() => link.mutate()}
        >
          Login link
        </Button>
      )}
      <ConfirmButton
        label="Lock out"
        action={`Lock out ${name}`}
        color="red"
        variant="light"
        size="compact-sm"
        mutation={lockOut}
      >
        <Text>
          All access keys, SSH keys and invitations of the user end, and the user is logged out in every browser. Who
          has an account at a login provider can log in again.
        </Text>
      </ConfirmButton>
      <Modal
        opened={link.data !== undefined || link.error !== null}
        onClose={link.reset}
        closeOnClickOutside={link.data === undefined}
        closeOnEscape={link.data === undefined}
        title={`Login link for ${name}`}
        closeButtonProps={{ "aria-label": "Close" }}
      >
        <MutationError of={link} />
        {link.data !== undefined && <LoginLink of={link.data} onDone={link.reset} />}
      </Modal>
    </Group>
  );
}

/** Access keys: created, shown once, revoked. */

import { Badge, Button, Stack, Table, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { components } from "elastic-client/gen/schema.ts";
import { api } from "../api/client.ts";
import { dataOf } from "../api/problem.ts";
import { ColumnNames } from "../layout/column-names.tsx";
import { CutNotice } from "../layout/cut-notice.tsx";
import { PageTitle } from "../layout/page-title.tsx";
import { QueryState } from "../layout/query-state.tsx";
import { Time } from "../layout/time.tsx";
import { ForRole } from "../session/for-role.tsx";
import { CreateKeyDialog } from "./create-key-dialog.tsx";
import { keysQuery } from "./keys-query.ts";

type Key = components["schemas"]["AccessKey"];

export function KeysPage() {
  const keys = useQuery(keysQuery);
  const [isCreating, { open, close }] = useDisclosure(false);
  return (
    <Stack>
      <PageTitle title="Access Keys">
        <ForRole lowest="member">
          <Button onClick={open}>Create Key</Button>
        </ForRole>
      </PageTitle>
      <Text c="dimmed">Programs and the command `elastic` use these. A key is shown once, when it is created.</Text>
      {keys.data !== undefined && <CutNotice of={keys.data} />}
      <QueryState query={keys} empty={(page) => (page.items.length === 0 ? "There are no access keys yet." : null)}>
        {(page) => <KeyTable keys={page.items} />}
      </QueryState>
      <CreateKeyDialog opened={isCreating} onClose={close} />
    </Stack>
  );
}

function KeyTable({ keys }: { readonly keys: readonly Key[] }) {
  return (
    <Table.ScrollContainer minWidth={640}>
      <Table>
        <ColumnNames names={["Name", "Key", "Scopes", "Created", "Last used", "Expires", "Action"]} />
        <Table.Tbody>
          {keys.map((key) => (
            <KeyRow key={key.key_id} of={key} />
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function KeyRow({ of: key }: { readonly of: Key }) {
  const queries = useQueryClient();
  const { mutate, isPending } = useMutation({
    mutationFn: () => dataOf(api.DELETE("/v1/keys/{id}", { params: { path: { id: key.key_id } } })),
    onSettled: () => queries.invalidateQueries(keysQuery),
  });
  return (
    <Table.Tr>
      <Table.Td>{key.name}</Table.Td>
      <Table.Td ff="monospace">{key.prefix}…</Table.Td>
      <Table.Td>{key.scopes.join(", ")}</Table.Td>
      <Table.Td>
        <Time of={key.created} />
      </Table.Td>
      <Table.Td>{key.last_used === null ? "never" : <Time of={key.last_used} />}</Table.Td>
      <Table.Td>{key.expires === null ? "never" : <Time of={key.expires} />}</Table.Td>
      <Table.Td>
        {key.revoked === null ? (
          <Button
            size="compact-sm"
            color="red"
            variant="light"
            loading={isPending}
            onClick={() => mutate()}
            aria-label={`Revoke ${key.name}`}
          >
            Revoke
          </Button>
        ) : (
          <Badge color="gray">Revoked</Badge>
        )}
      </Table.Td>
    </Table.Tr>
  );
}

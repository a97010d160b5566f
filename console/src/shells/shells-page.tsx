/** The team's shells, and the way to a new one. */
import { Anchor, Button, Card, Stack, Table, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ColumnNames } from "../layout/column-names.tsx";
import { CutNotice } from "../layout/cut-notice.tsx";
import { PageTitle } from "../layout/page-title.tsx";
import { QueryState } from "../layout/query-state.tsx";
import { Time } from "../layout/time.tsx";
import { ForRole } from "../session/for-role.tsx";
import { CreateShellDialog } from "./create-shell-dialog.tsx";
import { gpuText } from "./gpu-text.ts";
import { ShellState } from "./shell-state.tsx";
import { type Shell, shellOfferQuery, shellsQuery } from "./shells-query.ts";

export function ShellsPage() {
  const shells = useQuery(shellsQuery);
  const offer = useQuery(shellOfferQuery);
  const [isCreating, { open, close }] = useDisclosure(false);
  const offersNone = offer.data?.images.length === 0;
  return (
    <Stack>
      <PageTitle title="Shells">
        <ForRole lowest="member">
          <Button onClick={open} disabled={offersNone}>
            Create Shell
          </Button>
        </ForRole>
      </PageTitle>
      <Text c="dimmed">A shell is a container with a GPU to log into. Its home is retained when it stops.</Text>
      {offersNone && <NoneOffered />}
      {shells.data !== undefined && <CutNotice of={shells.data} />}
      <QueryState query={shells} empty={({ items }) => (items.length === 0 ? "There are no shells yet." : null)}>
        {({ items }) => <ShellTable shells={items} />}
      </QueryState>
      <CreateShellDialog opened={isCreating} onClose={close} />
    </Stack>
  );
}

function NoneOffered() {
  return (
    <Card withBorder>
      <Text fw={600}>This installation offers no shells</Text>
      <Text c="dimmed">An operator enables them with the setting ELASTIC_SHELL_IMAGES.</Text>
    </Card>
  );
}

function ShellTable({ shells }: { readonly shells: readonly Shell[] }) {
  return (
    <Table.ScrollContainer minWidth={640}>
      <Table>
        <ColumnNames names={["Name", "State", "GPU", "Image", "Created", "Stops"]} />
        <Table.Tbody>
          {shells.map((shell) => (
            <Table.Tr key={shell.shell_id}>
              <Table.Td>
                <Anchor
                  renderRoot={(props) => <Link to="/shells/$shellId" params={{ shellId: shell.shell_id }} {...props} />}
                >
                  {shell.shell_name}
                </Anchor>
              </Table.Td>
              <Table.Td>
                <ShellState of={shell} />
              </Table.Td>
              <Table.Td>{gpuText(shell)}</Table.Td>
              <Table.Td>{shell.image}</Table.Td>
              <Table.Td>
                <Time of={shell.created} />
              </Table.Td>
              <Table.Td>{shell.expires === null ? "" : <Time of={shell.expires} />}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

/** The team's data volumes, and the way to a new one. */
import { Anchor, Button, Stack, Table, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { bytesText } from "../layout/bytes-text.ts";
import { ColumnNames } from "../layout/column-names.tsx";
import { CutNotice } from "../layout/cut-notice.tsx";
import { PageTitle } from "../layout/page-title.tsx";
import { QueryState } from "../layout/query-state.tsx";
import { Time } from "../layout/time.tsx";
import { ForRole } from "../session/for-role.tsx";
import { CreateVolumeDialog } from "./create-volume-dialog.tsx";
import { ServicesOf } from "./services-of.tsx";
import { type Volume, volumesQuery } from "./volumes-query.ts";

export function VolumesPage() {
  const volumes = useQuery(volumesQuery);
  const [isCreating, { open, close }] = useDisclosure(false);
  return (
    <Stack>
      <PageTitle title="Volumes">
        <ForRole lowest="member">
          <Button onClick={open}>Create Volume</Button>
        </ForRole>
      </PageTitle>
      <Text c="dimmed">Large files for provers, such as proving keys. A prover sees them, read-only, at /data.</Text>
      {volumes.data !== undefined && <CutNotice of={volumes.data} />}
      <QueryState query={volumes} empty={({ items }) => (items.length === 0 ? "There are no volumes yet." : null)}>
        {({ items }) => <VolumeTable volumes={items} />}
      </QueryState>
      {isCreating && <CreateVolumeDialog onClose={close} />}
    </Stack>
  );
}

function VolumeTable({ volumes }: { readonly volumes: readonly Volume[] }) {
  return (
    <Table.ScrollContainer minWidth={640}>
      <Table>
        <ColumnNames names={["Name", "Files", "Size", "Used by", "Last deployed", "Created"]} />
        <Table.Tbody>
          {volumes.map((volume) => (
            <Table.Tr key={volume.volume_id}>
              <Table.Td>
                <Anchor
                  renderRoot={(props) => (
                    <Link to="/volumes/$volumeId" params={{ volumeId: volume.volume_id }} {...props} />
                  )}
                >
                  {volume.name}
                </Anchor>
              </Table.Td>
              <Table.Td>{volume.file_count}</Table.Td>
              <Table.Td>{bytesText(volume.bytes)}</Table.Td>
              <Table.Td>
                <ServicesOf volume={volume} />
              </Table.Td>
              <Table.Td>{volume.last_deployed === null ? "never" : <Time of={volume.last_deployed} />}</Table.Td>
              <Table.Td>
                <Time of={volume.created} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

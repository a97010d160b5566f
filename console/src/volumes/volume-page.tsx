/** A volume: its files, what uses it, and its deletion. */
import { Stack, Table, Text, Title } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import { api } from "../api/client.ts";
import { dataOf } from "../api/problem.ts";
import { bytesText } from "../layout/bytes-text.ts";
import { ColumnNames } from "../layout/column-names.tsx";
import { ConfirmButton } from "../layout/confirm-button.tsx";
import { CopyField } from "../layout/copy-field.tsx";
import { Facts } from "../layout/facts.tsx";
import { PageTitle } from "../layout/page-title.tsx";
import { QueryState } from "../layout/query-state.tsx";
import { Time } from "../layout/time.tsx";
import { ForRole } from "../session/for-role.tsx";
import { ServicesOf } from "./services-of.tsx";
import { volumeQuery, volumesQuery } from "./volumes-query.ts";

export function VolumePage() {
  const { volumeId } = useParams({ from: "/inside/volumes/$volumeId" });
  const volume = useQuery(volumeQuery(volumeId));
  return (
    <QueryState query={volume}>
      {(one) => (
        <Stack>
          <PageTitle title={one.name}>
            <ForRole lowest="member">
              <DeleteVolume id={volumeId} name={one.name} isUsed={one.services.length > 0} />
            </ForRole>
          </PageTitle>
          <Facts
            of={{
              "Used by": <ServicesOf volume={one} />,
              Size: bytesText(one.bytes),
              Created: <Time of={one.created} />,
              "Last deployed": one.last_deployed === null ? "never" : <Time of={one.last_deployed} />,
            }}
          />
          <Text>A deployment of a service has it with:</Text>
          <CopyField label="deploy command" text={`elastic deploy --data ${one.name}`} />
          <Title order={2} size="h3">
            Files
          </Title>
          <Table.ScrollContainer minWidth={480}>
            <Table>
              <ColumnNames names={["Path", "Size", "SHA-256"]} />
              <Table.Tbody>
                {one.files.map(({ path, bytes, sha256 }) => (
                  <Table.Tr key={path}>
                    <Table.Td style={{ overflowWrap: "anywhere" }}>{path}</Table.Td>
                    <Table.Td>{bytesText(bytes)}</Table.Td>
                    <Table.Td ff="monospace" style={{ overflowWrap: "anywhere" }}>
                      {sha256}
                    </Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </Table.ScrollContainer>
        </Stack>
      )}
    </QueryState>
  );
}

interface DeleteVolumeProps {
  readonly id: string;
  readonly name: string;
  readonly isUsed: boolean;
}

function DeleteVolume({ id, name, isUsed }: DeleteVolumeProps) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const removal = useMutation({
    mutationFn: () => dataOf(api.DELETE("/v1/volumes/{id}", { params: { path: { id } } })),
    onSuccess: async () => {
      await navigate({ to: "/volumes" });
      queries.removeQueries(volumeQuery(id));
      await queries.invalidateQueries(volumesQuery);
    },
  });
  return (
    <ConfirmButton label="Delete" action={`Delete ${name}`} color="red" variant="light" mutation={removal}>
      <Text>
        {isUsed
          ? "A service has it deployed: deploy that without it first, or the deletion is rejected."
          : "Its files are deleted, except those that other volumes have. This cannot be undone."}
      </Text>
    </ConfirmButton>
  );
}

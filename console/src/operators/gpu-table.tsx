/** The GPUs of a machine: how each is, and what has it. */
import { Badge, Table, Text } from "@mantine/core";
import { bytesText } from "../layout/bytes-text.ts";
import { ColumnNames } from "../layout/column-names.tsx";
import type { MachineDetails } from "./operators-query.ts";

export function GpuTable({ of: { gpus, holds } }: { readonly of: MachineDetails }) {
  if (gpus.length === 0) return <Text c="dimmed">It has none.</Text>;
  const holder = (id: string | null) => holds.find(({ assignment_id: of }) => of === id);
  return (
    <Table.ScrollContainer minWidth={800}>
      <Table>
        <ColumnNames names={["GPU", "Type", "Health", "Temperature", "Memory", "Use", "Score", "Given to"]} />
        <Table.Tbody>
          {gpus.map((gpu) => {
            const given = holder(gpu.given_to);
            return (
              <Table.Tr key={gpu.uuid}>
                <Table.Td ff="monospace" style={{ overflowWrap: "anywhere" }}>
                  {gpu.uuid}
                </Table.Td>
                <Table.Td>{gpu.gpu_type}</Table.Td>
                <Table.Td>
                  {gpu.healthy ? (
                    "healthy"
                  ) : (
                    <>
                      <Badge color="red" tt="none">
                        Quarantined
                      </Badge>
                      <Text size="sm">{gpu.quarantine_reason}</Text>
                    </>
                  )}
                </Table.Td>
                <Table.Td>
                  {gpu.temperature_celsius === null ? "unknown" : `${Math.round(gpu.temperature_celsius)} °C`}
                </Table.Td>
                <Table.Td>
                  {gpu.memory_used_bytes === null ? "" : `${bytesText(gpu.memory_used_bytes)} of `}
                  {bytesText(gpu.memory_bytes)}
                </Table.Td>
                <Table.Td>{gpu.utilisation === null ? "unknown" : `${Math.round(100 * gpu.utilisation)} %`}</Table.Td>
                <Table.Td>{gpu.speed === null ? "" : Math.round(gpu.speed.score)}</Table.Td>
                <Table.Td>
                  {given === undefined ? "nobody" : (given.service_name ?? given.shell_name ?? "unknown")}
                </Table.Td>
              </Table.Tr>
            );
          })}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

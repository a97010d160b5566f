/** What a machine holds for whom. */
import { Table, Text } from "@mantine/core";
import { ColumnNames } from "../layout/column-names.tsx";
import { Time } from "../layout/time.tsx";
import type { MachineDetails } from "./operators-query.ts";

type Holding = MachineDetails["holds"][number];

const KINDS: Readonly<Record<Holding["kind"], string>> = {
  deployment: "Deployment",
  shell: "Shell",
  shell_erasure: "Erasure of a shell's home",
  build: "Build",
};

export function HoldingTable({ of: { holds } }: { readonly of: MachineDetails }) {
  if (holds.length === 0) return <Text c="dimmed">It holds nothing.</Text>;
  return (
    <Table.ScrollContainer minWidth={720}>
      <Table>
        <ColumnNames names={["Kind", "Name", "Team", "Phase", "Slots", "Since"]} />
        <Table.Tbody>
          {holds.map((one) => (
            <Table.Tr key={one.assignment_id}>
              <Table.Td>{KINDS[one.kind]}</Table.Td>
              <Table.Td style={{ overflowWrap: "anywhere" }}>
                {[one.service_name ?? one.shell_name, one.deployment_tag].filter((part) => part !== null).join(":")}
              </Table.Td>
              <Table.Td>{one.team_name}</Table.Td>
              <Table.Td>
                {one.phase ?? "assigned"}
                {one.failure !== null && <Text size="sm">{one.failure}</Text>}
              </Table.Td>
              <Table.Td>{one.slots}</Table.Td>
              <Table.Td>
                <Time of={one.created} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

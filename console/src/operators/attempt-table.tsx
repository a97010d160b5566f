/** The tasks that run on a machine. */
import { Table, Text } from "@mantine/core";
import { ColumnNames } from "../layout/column-names.tsx";
import { Time } from "../layout/time.tsx";
import type { MachineDetails } from "./operators-query.ts";

export function AttemptTable({ of: { attempts, running_attempts: total } }: { readonly of: MachineDetails }) {
  if (attempts.length === 0) return <Text c="dimmed">No task runs there.</Text>;
  return (
    <>
      <Table.ScrollContainer minWidth={560}>
        <Table>
          <ColumnNames names={["Task", "Service", "Attempt", "Started"]} />
          <Table.Tbody>
            {attempts.map(({ task_id: id, service_name: service, attempt, started }) => (
              <Table.Tr key={`${id}/${attempt}`}>
                <Table.Td ff="monospace">{id}</Table.Td>
                <Table.Td>{service ?? "deleted"}</Table.Td>
                <Table.Td>{attempt}</Table.Td>
                <Table.Td>
                  <Time of={started} />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {total > attempts.length && (
        <Text c="dimmed">
          The first {attempts.length} of {total}.
        </Text>
      )}
    </>
  );
}

/** Workloads that no machine has room for, by what they require of one. */
import { Table, Text } from "@mantine/core";
import { ColumnNames } from "../layout/column-names.tsx";
import { Time } from "../layout/time.tsx";
import { requirementText } from "./pool-text.ts";
import type { FleetDemand } from "./pools-query.ts";

export function DemandTable({ of: { workloads, tasks, items } }: { readonly of: FleetDemand }) {
  return (
    <>
      <Text>
        {workloads.toLocaleString()} {workloads === 1 ? "workload has" : "workloads have"} no machine;{" "}
        {tasks.toLocaleString()} {tasks === 1 ? "task waits" : "tasks wait"} for them.
      </Text>
      <Table.ScrollContainer minWidth={720}>
        <Table>
          <ColumnNames names={["Each requires", "Workloads", "Tasks", "Waits since", "Reason"]} />
          <Table.Tbody>
            {items.map((item, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: items have no name, and rows no state.
              <Table.Tr key={at}>
                <Table.Td>{requirementText(item)}</Table.Td>
                <Table.Td>{item.shells ? `${item.workloads} (shells)` : item.workloads}</Table.Td>
                <Table.Td>{item.tasks}</Table.Td>
                <Table.Td>{item.oldest_since === null ? "" : <Time of={item.oldest_since} />}</Table.Td>
                <Table.Td>{item.message}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </>
  );
}

/** Tasks, a row each. */

import { Anchor, Badge, Table } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { components } from "elastic-cli/api/gen/schema.ts";
import { ColumnNames } from "../layout/column-names.tsx";
import { Time } from "../layout/time.tsx";

type Task = components["schemas"]["Task"];

const COLORS = { PENDING: "yellow", SUCCESS: "green", FAILURE: "red" } as const;

export function TaskTable({ tasks }: { readonly tasks: readonly Task[] }) {
  return (
    <Table.ScrollContainer minWidth={640}>
      <Table>
        <ColumnNames names={["Task", "Service", "Phase", "Reason", "Created"]} />
        <Table.Tbody>
          {tasks.map((task) => (
            <Table.Tr key={task.task_id}>
              <Table.Td ff="monospace">
                <Anchor
                  renderRoot={(props) => <Link to="/tasks/$taskId" params={{ taskId: task.task_id }} {...props} />}
                >
                  {task.task_id}
                </Anchor>
              </Table.Td>
              <Table.Td>{task.service_name}</Table.Td>
              <Table.Td>
                <Badge color={COLORS[task.state]}>{task.phase}</Badge>
              </Table.Td>
              <Table.Td>{task.failure?.reason ?? ""}</Table.Td>
              <Table.Td>
                <Time of={task.created} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

/** The machines of the fleet, and the way in for another. */
import { Anchor, Button, Group, Select, Stack, Table, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { ColumnNames } from "../layout/column-names.tsx";
import { PageTitle } from "../layout/page-title.tsx";
import { QueryState } from "../layout/query-state.tsx";
import { Time } from "../layout/time.tsx";
import { gpusText } from "./gpus-text.ts";
import { JoinDialog } from "./join-dialog.tsx";
import { MACHINE_STATES, readMachineFilter } from "./machine-filter.ts";
import { MachineState } from "./machine-state.tsx";
import { type Machine, machinesQuery } from "./operators-query.ts";
import { Pages } from "./pages.tsx";

export function MachinesPage() {
  const filter = useSearch({ from: "/inside/operators/machines" });
  const navigate = useNavigate({ from: "/operators/machines" });
  const machines = useQuery(machinesQuery(filter));
  const [isJoining, { open, close }] = useDisclosure(false);
  const show = (changed: Readonly<Record<string, unknown>>) =>
    navigate({ search: readMachineFilter({ ...filter, page: undefined, ...changed }), replace: true });
  return (
    <Stack>
      <PageTitle title="Machines">
        <Button onClick={open}>Join a machine</Button>
      </PageTitle>
      <Group align="end">
        <Select
          label="State"
          clearable
          placeholder="Any"
          data={[...MACHINE_STATES]}
          value={filter.state ?? null}
          onChange={(state) => void show({ state })}
        />
        <TextInput
          label="GPU type"
          value={filter.gpu_type ?? ""}
          onChange={(event) => void show({ gpu_type: event.currentTarget.value })}
        />
        <TextInput
          label="Label"
          placeholder="key or key=value"
          value={filter.label ?? ""}
          onChange={(event) => void show({ label: event.currentTarget.value })}
        />
      </Group>
      <QueryState query={machines} empty={({ items }) => (items.length === 0 ? "There are no such machines." : null)}>
        {(page) => (
          <>
            <MachineTable machines={page.items} />
            <Pages of={page} onChange={(next) => void show({ page: next })} />
          </>
        )}
      </QueryState>
      {isJoining && <JoinDialog onClose={close} />}
    </Stack>
  );
}

function MachineTable({ machines }: { readonly machines: readonly Machine[] }) {
  return (
    <Table.ScrollContainer minWidth={800}>
      <Table>
        <ColumnNames
          names={["Machine", "State", "GPUs", "Tasks", "Deployments", "Shells", "Score", "Last heartbeat"]}
        />
        <Table.Tbody>
          {machines.map((machine) => (
            <Table.Tr key={machine.node_id}>
              <Table.Td>
                <Anchor
                  renderRoot={(props) => (
                    <Link to="/operators/machines/$nodeId" params={{ nodeId: machine.node_id }} {...props} />
                  )}
                >
                  {machine.node_id}
                </Anchor>
              </Table.Td>
              <Table.Td>
                <MachineState of={machine} />
              </Table.Td>
              <Table.Td>{gpusText(machine.gpu_types)}</Table.Td>
              <Table.Td>{machine.running_attempts}</Table.Td>
              <Table.Td>{machine.workloads}</Table.Td>
              <Table.Td>{machine.shells}</Table.Td>
              <Table.Td>{machine.score === null ? "" : Math.round(machine.score)}</Table.Td>
              <Table.Td>{machine.last_heartbeat === null ? "unknown" : <Time of={machine.last_heartbeat} />}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

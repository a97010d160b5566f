/** A machine: its GPUs, what it holds, and what runs there. */
import { Stack, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { bytesText } from "../layout/bytes-text.ts";
import { Facts } from "../layout/facts.tsx";
import { PageTitle } from "../layout/page-title.tsx";
import { QueryState } from "../layout/query-state.tsx";
import { Time } from "../layout/time.tsx";
import { AttemptTable } from "./attempt-table.tsx";
import { GpuTable } from "./gpu-table.tsx";
import { HoldingTable } from "./holding-table.tsx";
import { MachineActions } from "./machine-actions.tsx";
import { MachineNotes, MachineState } from "./machine-state.tsx";
import { type MachineDetails, machineQuery } from "./operators-query.ts";

export function MachinePage() {
  const { nodeId } = useParams({ from: "/inside/operators/machines/$nodeId" });
  const machine = useQuery(machineQuery(nodeId));
  return (
    <QueryState query={machine}>
      {(one) => (
        <Stack>
          <PageTitle title={one.node_id}>
            <MachineState of={one} />
            <MachineActions of={one} />
          </PageTitle>
          <MachineNotes of={one} />
          <MachineFacts of={one} />
          <Section title="GPUs">
            <GpuTable of={one} />
          </Section>
          <Section title="Deployments and shells">
            <HoldingTable of={one} />
          </Section>
          <Section title="Running tasks">
            <AttemptTable of={one} />
          </Section>
        </Stack>
      )}
    </QueryState>
  );
}

function Section({ title, children }: { readonly title: string; readonly children: React.ReactNode }) {
  return (
    <Stack gap="xs">
      <Title order={2} size="h3">
        {title}
      </Title>
      {children}
    </Stack>
  );
}

function MachineFacts({ of: machine }: { readonly of: MachineDetails }) {
  const labels = Object.entries(machine.labels).map(([name, value]) => `${name}=${value}`);
  return (
    <Facts
      of={{
        "Host name": machine.hostname,
        "CPU cores": machine.cpu_cores,
        Memory: bytesText(machine.memory_bytes),
        Slots: machine.slots,
        Score: machine.score === null ? "not measured" : Math.round(machine.score),
        Labels: labels.length === 0 ? "none" : labels.join(", "),
        "Container engine": machine.engine === null ? "none" : `${machine.engine.name} ${machine.engine.version}`,
        "Builtin provers": machine.builtin_provers.length === 0 ? "none" : machine.builtin_provers.join(", "),
        Shells: machine.takes_shells ? "accepted" : "not possible",
        "Agent version": machine.agent_version,
        "Last heartbeat": machine.last_heartbeat === null ? "unknown" : <Time of={machine.last_heartbeat} />,
        "Certificate ends": machine.certificate_ends === null ? "unknown" : <Time of={machine.certificate_ends} />,
      }}
    />
  );
}

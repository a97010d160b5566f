/** The fleet: what waits, whether requeueing is stopped, who leads, and which versions run. */
import { Alert, Badge, Stack, Table, Text, Title } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api } from "../api/client.ts";
import { dataOf } from "../api/problem.ts";
import { ColumnNames } from "../layout/column-names.tsx";
import { ConfirmButton } from "../layout/confirm-button.tsx";
import { Facts } from "../layout/facts.tsx";
import { PageTitle } from "../layout/page-title.tsx";
import { QueryState } from "../layout/query-state.tsx";
import { Time } from "../layout/time.tsx";
import { type Fleet, fleetQuery } from "./operators-query.ts";

export function FleetPage() {
  const fleet = useQuery(fleetQuery);
  return (
    <Stack>
      <PageTitle title="Fleet" />
      <QueryState query={fleet}>
        {(one) => (
          <>
            <CircuitBreaker of={one} />
            <Title order={2} size="h3">
              Queue
            </Title>
            <Queue of={one} />
            <Title order={2} size="h3">
              Coordinators
            </Title>
            <Coordinators of={one} />
            <Title order={2} size="h3">
              Agents
            </Title>
            <Facts
              of={Object.fromEntries(
                one.agent_versions.map(({ version, nodes }) => [
                  `Version ${version}`,
                  nodes === 1 ? "1 machine" : `${nodes} machines`,
                ]),
              )}
            />
          </>
        )}
      </QueryState>
    </Stack>
  );
}

function CircuitBreaker({ of: { requeue } }: { readonly of: Fleet }) {
  const queries = useQueryClient();
  const resuming = useMutation({
    mutationFn: () => dataOf(api.POST("/v1/fleet/resume-requeue")),
    onSettled: () => queries.invalidateQueries(fleetQuery),
  });
  if (requeue.resumed_until !== null) {
    return (
      <Alert color="yellow" title="Requeueing was resumed by an operator">
        Until <Time of={requeue.resumed_until} />, machines that are away count as lost, however many they are.
      </Alert>
    );
  }
  if (requeue.stopped_since === null)
    return <Text>The mass-failure circuit breaker is closed: lost work is requeued.</Text>;
  return (
    <Alert color="red" title="The mass-failure circuit breaker is open" role="alert">
      <Stack align="start">
        <Text>
          Most machines were lost at once, <Time of={requeue.stopped_since} />. Nothing of theirs is requeued until they
          return, or you state that they will not.
        </Text>
        <ConfirmButton label="Resume requeueing" action="Resume requeueing" color="red" mutation={resuming}>
          <Text>
            For ten minutes, machines that are away count as lost, and their tasks start again elsewhere. A machine that
            is only unreachable may still compute the same tasks; its results are then discarded.
          </Text>
        </ConfirmButton>
      </Stack>
    </Alert>
  );
}

function Queue({ of: fleet }: { readonly of: Fleet }) {
  return (
    <>
      <Facts
        of={{
          "Queued tasks": fleet.queued_tasks,
          "Running tasks": fleet.running_tasks,
          "Oldest queued": fleet.oldest_queued === null ? "none" : <Time of={fleet.oldest_queued} />,
        }}
      />
      {fleet.queues.length > 0 && (
        <Table.ScrollContainer minWidth={560}>
          <Table>
            <ColumnNames names={["Service", "Team", "Queued", "Running", "Oldest queued"]} />
            <Table.Tbody>
              {fleet.queues.map((queue) => (
                <Table.Tr key={queue.service_id}>
                  <Table.Td>{queue.service_name ?? "deleted"}</Table.Td>
                  <Table.Td>{queue.team_name ?? "unknown"}</Table.Td>
                  <Table.Td>{queue.queued}</Table.Td>
                  <Table.Td>{queue.running}</Table.Td>
                  <Table.Td>{queue.oldest_queued === null ? "" : <Time of={queue.oldest_queued} />}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
    </>
  );
}

function Coordinators({ of: { coordinators, leader } }: { readonly of: Fleet }) {
  return (
    <>
      {leader === null && <Alert color="red">No coordinator leads: nothing is scheduled.</Alert>}
      <Table.ScrollContainer minWidth={640}>
        <Table>
          <ColumnNames names={["Address", "Version", "Roles", "Started", "Leadership"]} />
          <Table.Tbody>
            {coordinators.map((one) => (
              <Table.Tr key={one.coordinator_id}>
                <Table.Td>{one.grpc_address}</Table.Td>
                <Table.Td>{one.version}</Table.Td>
                <Table.Td>{one.roles.join(", ")}</Table.Td>
                <Table.Td>
                  <Time of={one.started} />
                </Table.Td>
                <Table.Td>
                  {leader?.coordinator_id === one.coordinator_id && (
                    <>
                      <Badge tt="none">Leader</Badge> since <Time of={leader.since} />
                    </>
                  )}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </>
  );
}

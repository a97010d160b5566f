/** What a service was deployed from, how each roll-out ended, and the way back to an earlier one. */
import { Alert, Badge, Button, Card, Code, Group, Stack, Text } from "@mantine/core";
import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import type { components } from "elastic-cli/api/gen/schema.ts";
import { api } from "../api/client.ts";
import { dataOf } from "../api/problem.ts";
import { MutationError } from "../layout/mutation-error.tsx";
import { QueryState } from "../layout/query-state.tsx";
import { Time } from "../layout/time.tsx";

type Deployment = components["schemas"]["Deployment"];

const REFRESH_MS = 5_000;
const COLORS = { Unready: "yellow", Ready: "green", Failed: "red", Retired: "gray" } as const;

const deploymentsQuery = (serviceId: string) =>
  queryOptions({
    queryKey: ["services", serviceId, "deployments"],
    queryFn: () => dataOf(api.GET("/v1/services/{id}/deployments", { params: { path: { id: serviceId } } })),
    refetchInterval: REFRESH_MS,
  });

export function DeploymentsPage() {
  const { serviceId } = useParams({ from: "/inside/services/$serviceId/deployments" });
  const deployments = useQuery(deploymentsQuery(serviceId));
  return (
    <QueryState query={deployments} empty={({ items }) => (items.length === 0 ? "Nothing was deployed yet." : null)}>
      {({ items }) => (
        <Stack>
          {items.map((deployment) => (
            <DeploymentCard key={deployment.deployment_id} of={deployment} />
          ))}
        </Stack>
      )}
    </QueryState>
  );
}

function DeploymentCard({ of: deployment }: { readonly of: Deployment }) {
  const { service_id: id, deployment_id, state, failure } = deployment;
  const queries = useQueryClient();
  const rollback = useMutation({
    mutationFn: () =>
      dataOf(api.POST("/v1/services/{id}/rollback", { params: { path: { id } }, body: { deployment_id } })),
    onSettled: () => queries.invalidateQueries({ queryKey: ["services", id] }),
  });
  return (
    <Card withBorder>
      <Stack gap="xs">
        <Group justify="space-between">
          <Group gap="xs">
            <Text fw={600}>{deployment.tag}</Text>
            <Badge color={COLORS[state]}>{state}</Badge>
            <Text size="sm" c="dimmed">
              <Time of={deployment.created} />
            </Text>
          </Group>
          {state === "Retired" && (
            <Button variant="default" loading={rollback.isPending} onClick={() => rollback.mutate()}>
              Roll back to this
            </Button>
          )}
        </Group>
        <Code style={{ overflowWrap: "anywhere" }}>{deployment.image}</Code>
        <MutationError of={rollback} />
        {failure !== null && (
          <Alert color="red" title={`Failed while ${failure.stage}: ${failure.reason}`}>
            <Text>{failure.message}</Text>
            {failure.log_tail !== "" && (
              <Code block mt="xs" style={{ overflowWrap: "anywhere", whiteSpace: "pre-wrap" }}>
                {failure.log_tail}
              </Code>
            )}
          </Alert>
        )}
      </Stack>
    </Card>
  );
}

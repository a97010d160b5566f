/** What a service was deployed from, how each roll-out went, and the way back to an earlier one. */
import { Anchor, Badge, Button, Card, Code, Collapse, Group, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import type { components } from "elastic-client/gen/schema.ts";
import { api } from "../api/client.ts";
import { dataOf } from "../api/problem.ts";
import { buildsQuery } from "../builds/builds-query.ts";
import { Commit } from "../builds/commit.tsx";
import { CutNotice } from "../layout/cut-notice.tsx";
import { MutationError } from "../layout/mutation-error.tsx";
import { QueryState } from "../layout/query-state.tsx";
import { Time } from "../layout/time.tsx";
import { ForRole } from "../session/for-role.tsx";
import { CompareDeployments } from "./compare-deployments.tsx";
import { DeploymentFailure } from "./deployment-failure.tsx";
import { deploymentsQuery } from "./deployments-query.ts";
import { RollOut } from "./roll-out.tsx";

type Deployment = components["schemas"]["Deployment"];

const COLORS = { Unready: "yellow", Ready: "green", Failed: "red", Retired: "gray" } as const;

export function DeploymentsPage() {
  const { serviceId } = useParams({ from: "/inside/services/$serviceId/deployments" });
  const deployments = useQuery(deploymentsQuery(serviceId));
  const [isComparing, { toggle }] = useDisclosure(false);
  return (
    <QueryState query={deployments} empty={({ items }) => (items.length === 0 ? "Nothing was deployed yet." : null)}>
      {({ items }) => (
        <Stack>
          <Group>
            <ForRole lowest="member">
              <DeployLink serviceId={serviceId} />
            </ForRole>
            {items.length > 1 && (
              <Button variant="default" aria-expanded={isComparing} onClick={toggle}>
                Compare
              </Button>
            )}
          </Group>
          {deployments.data !== undefined && <CutNotice of={deployments.data} />}
          <Collapse expanded={isComparing}>{isComparing && <CompareDeployments deployments={items} />}</Collapse>
          {items.map((deployment) => (
            <DeploymentCard key={deployment.deployment_id} of={deployment} />
          ))}
        </Stack>
      )}
    </QueryState>
  );
}

function DeployLink({ serviceId }: { readonly serviceId: string }) {
  return (
    <Button renderRoot={(props) => <Link to="/services/$serviceId/deploy" params={{ serviceId }} {...props} />}>
      New Deployment
    </Button>
  );
}

function DeploymentCard({ of: deployment }: { readonly of: Deployment }) {
  const { service_id: serviceId, deployment_id: id, state, failure } = deployment;
  return (
    <Card withBorder component="article" aria-label={`Deployment ${deployment.tag}`}>
      <Stack gap="xs">
        <Group justify="space-between">
          <Group gap="xs">
            <Text fw={600} style={{ overflowWrap: "anywhere" }}>
              {deployment.tag}
            </Text>
            <Badge color={COLORS[state]}>{state}</Badge>
            <Text size="sm" c="dimmed">
              <Time of={deployment.created} />
            </Text>
          </Group>
          <ForRole lowest="member">
            {(state === "Retired" || state === "Failed") && (
              <Anchor
                size="sm"
                renderRoot={(props) => (
                  <Link to="/services/$serviceId/deploy" params={{ serviceId }} search={{ from: id }} {...props} />
                )}
              >
                Use These Settings
              </Anchor>
            )}
          </ForRole>
        </Group>
        <Code style={{ overflowWrap: "anywhere" }}>{deployment.image}</Code>
        <BuiltFrom of={deployment} />
        {deployment.rollback_of !== null && (
          <Text size="sm" c="dimmed">
            Goes back to deployment <Code>{deployment.rollback_of}</Code>
          </Text>
        )}
        {state === "Unready" && <RollOut serviceId={serviceId} deploymentId={id} />}
        {failure !== null && <DeploymentFailure failure={failure} />}
        <ForRole lowest="member">{state === "Retired" && <RollBack to={deployment} />}</ForRole>
      </Stack>
    </Card>
  );
}

/** The commit of the build that it follows from. Builds are forgotten earlier than deployments. */
function BuiltFrom({ of: { service_id: serviceId, build_id: buildId } }: { readonly of: Deployment }) {
  const { data: builds } = useQuery({ ...buildsQuery(serviceId), enabled: buildId !== null });
  const build = builds?.items.find((one) => one.build_id === buildId);
  if (buildId === null || build === undefined) return null;
  return (
    <Group gap="xs">
      <Anchor
        size="sm"
        renderRoot={(props) => (
          <Link to="/services/$serviceId/builds/$buildId" params={{ serviceId, buildId }} {...props} />
        )}
      >
        Its build
      </Anchor>
      <Commit of={build} />
    </Group>
  );
}

function RollBack({ to: { service_id: id, deployment_id } }: { readonly to: Deployment }) {
  const queries = useQueryClient();
  const rollback = useMutation({
    mutationFn: () =>
      dataOf(api.POST("/v1/services/{id}/rollback", { params: { path: { id } }, body: { deployment_id } })),
    onSettled: () => queries.invalidateQueries({ queryKey: ["services", id] }),
  });
  return (
    <Group>
      <Button variant="default" loading={rollback.isPending} onClick={() => rollback.mutate()}>
        Roll back to this
      </Button>
      <MutationError of={rollback} />
    </Group>
  );
}

/** A further deployment of a service: begun from one that it has, and changed. */
import { Stack, Text } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import type { components } from "elastic-client/gen/schema.ts";
import { useState } from "react";
import { api } from "../api/client.ts";
import { dataOf } from "../api/problem.ts";
import { QueryState } from "../layout/query-state.tsx";
import { type DeploymentRequest, draftOf, EMPTY_DRAFT } from "./deployment-draft.ts";
import { DeploymentForm } from "./deployment-form.tsx";
import { deploymentsQuery } from "./deployments-query.ts";

type Deployment = components["schemas"]["Deployment"];

export function NewDeploymentPage() {
  const { serviceId } = useParams({ from: "/inside/services/$serviceId/deploy" });
  const { from, image } = useSearch({ from: "/inside/services/$serviceId/deploy" });
  const deployments = useQuery({ ...deploymentsQuery(serviceId), refetchInterval: false });
  return (
    <QueryState query={deployments}>
      {({ items }) => (
        <NewDeployment
          key={`${serviceId} ${from} ${image}`}
          serviceId={serviceId}
          deployments={items}
          from={from}
          image={image}
        />
      )}
    </QueryState>
  );
}

/** The one that is named, else the one that serves, else the newest. */
function chooseEarlier(deployments: readonly Deployment[], named: string | undefined): Deployment | undefined {
  return (
    deployments.find(({ deployment_id }) => deployment_id === named) ??
    deployments.find(({ state }) => state === "Ready") ??
    deployments[0]
  );
}

interface NewDeploymentProps {
  readonly serviceId: string;
  readonly deployments: readonly Deployment[];
  readonly from: string | undefined;
  /** In place of that of the earlier deployment. */
  readonly image: string | undefined;
}

function NewDeployment({ serviceId, deployments, from, image }: NewDeploymentProps) {
  // What the form began from, whatever is deployed meanwhile.
  const [earlier] = useState(() => chooseEarlier(deployments, from));
  const draft = earlier === undefined ? EMPTY_DRAFT : draftOf(earlier);
  const navigate = useNavigate();
  const queries = useQueryClient();
  const deployment = useMutation({
    mutationFn: (body: DeploymentRequest) =>
      dataOf(api.POST("/v1/services/{id}/deployments", { params: { path: { id: serviceId } }, body })),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ["services", serviceId] });
      await navigate({ to: "/services/$serviceId/deployments", params: { serviceId } });
    },
  });
  return (
    <Stack>
      {earlier !== undefined && (
        <Text c="dimmed">
          These are the settings of deployment {earlier.tag}. What serves now continues to serve until the new
          deployment is ready, or if it fails.
        </Text>
      )}
      <DeploymentForm
        initial={image === undefined ? draft : { ...draft, image, tag: "" }}
        onSubmit={deployment.mutate}
        submission={deployment}
      />
    </Stack>
  );
}

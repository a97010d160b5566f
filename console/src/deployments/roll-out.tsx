/** How far a deployment is, from received to ready, live. */
import { Anchor, Card, Stepper, Text } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { components } from "elastic-client/gen/schema.ts";
import { useState } from "react";
import { api } from "../api/client.ts";
import { dataOf } from "../api/problem.ts";
import { useServerEvents } from "../api/use-server-events.ts";
import { visibleLine } from "../text/visible-text.ts";

type DeploymentEvent = components["schemas"]["DeploymentEvent"];
type DeploymentProgress = components["schemas"]["DeploymentProgress"];

/** Each with the stages that it covers. */
const STEPS = [
  { label: "Image", stages: ["received", "resolved"] },
  { label: "Machine", stages: ["waiting", "placed"] },
  { label: "Pull", stages: ["pulling", "fetching", "pulled"] },
  { label: "Start", stages: ["started", "retrying", "healthy", "proving"] },
  { label: "Serve", stages: ["ready"] },
] as const;
const EVENT_TYPES: readonly (DeploymentEvent["type"] | DeploymentProgress["type"])[] = [
  ...STEPS.flatMap(({ stages }) => stages.map((stage) => `deployment.${stage}` as const)),
  "deployment.failed",
  "deployment.cancelled",
  "deployment.progress",
];
const MIB = 1024 ** 2;

interface RollOutProps {
  readonly serviceId: string;
  readonly deploymentId: string;
}

export function RollOut({ serviceId, deploymentId }: RollOutProps) {
  const queries = useQueryClient();
  const [provingTaskId, setProvingTask] = useState<string | null>(null);
  const [progress, setProgress] = useState<DeploymentProgress | null>(null);
  const { data } = useQuery({
    queryKey: ["services", serviceId, "deployments", deploymentId],
    queryFn: () => {
      const path = { id: serviceId, deploymentId };
      return dataOf(api.GET("/v1/services/{id}/deployments/{deploymentId}", { params: { path } }));
    },
  });
  useServerEvents(`/v1/services/${serviceId}/deployments/${deploymentId}/events`, EVENT_TYPES, (event) => {
    if (event.type === "deployment.progress") {
      setProgress(event.data as DeploymentProgress);
      return;
    }
    setProgress(null);
    if (event.type === "deployment.proving") setProvingTask((event.data as DeploymentEvent).task_id);
    void queries.invalidateQueries({ queryKey: ["services", serviceId] });
  });
  if (data === undefined) return null;
  const active = STEPS.findIndex(({ stages }) => stages.some((stage) => stage === data.stage));
  return (
    <Card withBorder aria-live="polite">
      <Stepper active={active} size="sm" allowNextStepsSelect={false}>
        {STEPS.map(({ label }) => (
          <Stepper.Step key={label} label={label} />
        ))}
      </Stepper>
      {data.stage_note !== null && (
        <Text c="dimmed" style={{ overflowWrap: "anywhere" }}>
          {visibleLine(data.stage_note)}
        </Text>
      )}
      {data.stage === "proving" && <Proving taskId={provingTaskId} />}
      {progress !== null && <Text c="dimmed">{progressText(progress)}</Text>}
    </Card>
  );
}

/** A workload that is up proves an input of the past before it serves. */
function Proving({ taskId }: { readonly taskId: string | null }) {
  return (
    <Text style={{ overflowWrap: "anywhere" }}>
      It proves the last successful input of the service before it serves
      {taskId !== null && (
        <>
          :{" "}
          <Anchor
            underline="always"
            renderRoot={(props) => <Link to="/tasks/$taskId" params={{ taskId }} {...props} />}
          >
            Task {taskId}
          </Anchor>
        </>
      )}
      .
    </Text>
  );
}

function progressText({ done_bytes, total_bytes }: DeploymentProgress): string {
  return `${Math.floor(done_bytes / MIB)} of ${Math.ceil(total_bytes / MIB)} MiB`;
}

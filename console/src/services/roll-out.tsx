/** How far a deployment is, from received to ready. */
import { Card, Stepper, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { api } from "../api/client.ts";
import { dataOf } from "../api/problem.ts";

const REFRESH_MS = 1_000;
/** Each with the stages that it covers. */
const STEPS = [
  { label: "Image", stages: ["received", "resolved"] },
  { label: "Machine", stages: ["waiting", "placed"] },
  { label: "Pull", stages: ["pulling", "fetching", "pulled"] },
  { label: "Start", stages: ["started", "retrying", "healthy"] },
  { label: "Serve", stages: ["ready"] },
] as const;

interface RollOutProps {
  readonly serviceId: string;
  readonly deploymentId: string;
}

export function RollOut({ serviceId, deploymentId }: RollOutProps) {
  const { data } = useQuery({
    queryKey: ["services", serviceId, "deployments", deploymentId],
    queryFn: () => {
      const path = { id: serviceId, deploymentId };
      return dataOf(api.GET("/v1/services/{id}/deployments/{deploymentId}", { params: { path } }));
    },
    refetchInterval: REFRESH_MS,
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
      {data.stage_note !== null && <Text c="dimmed">{data.stage_note}</Text>}
    </Card>
  );
}

/** One service: where tasks are posted, how its roll-out goes, and a way to try it. */
import { Alert, Card, Stack, Text } from "@mantine/core";
import { useSuspenseQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { CopyField } from "../layout/copy-field.tsx";
import { Playground } from "./playground.tsx";
import { RollOut } from "./roll-out.tsx";
import { serviceQuery } from "./services-query.ts";

export function ServicePage() {
  const { serviceId } = useParams({ from: "/inside/services/$serviceId" });
  const { data: one } = useSuspenseQuery(serviceQuery(serviceId));
  return (
    <Stack>
      {one.failure !== null && (
        <Alert color="red" title={`The deployment failed: ${one.failure.reason}`}>
          {one.failure.message}
        </Alert>
      )}
      {one.waiting !== null && <Alert color="yellow">{one.waiting.message}</Alert>}
      {one.next_deployment_id !== null && <RollOut serviceId={serviceId} deploymentId={one.next_deployment_id} />}
      {one.state === "Ready" && (
        <>
          <Card withBorder>
            <Text fw={600}>Endpoint</Text>
            <CopyField text={one.service_url} label="endpoint" />
          </Card>
          <Playground service={one} />
        </>
      )}
    </Stack>
  );
}

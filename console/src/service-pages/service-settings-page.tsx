/** What may be changed of a service while it serves, and how it is deleted. */
import { Button, Card, Group, Stack, Text, Title } from "@mantine/core";
import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import type { components } from "elastic-client/gen/schema.ts";
import { deploymentsQuery } from "../deployments/deployments-query.ts";
import { SettingsTable } from "../deployments/settings-table.tsx";
import { serviceQuery } from "../services/services-query.ts";
import { ForRole } from "../session/for-role.tsx";
import { Webhooks } from "../webhooks/webhooks.tsx";
import { DeleteService } from "./delete-service.tsx";
import { RetentionForm } from "./retention-form.tsx";

type Service = components["schemas"]["Service"];

export function ServiceSettingsPage() {
  const { serviceId } = useParams({ from: "/inside/services/$serviceId/settings" });
  const { data: service } = useSuspenseQuery(serviceQuery(serviceId));
  return (
    <Stack>
      <DeploymentSettings service={service} />
      <ForRole lowest="member">
        <RetentionForm key={serviceId} service={service} />
      </ForRole>
      <Webhooks serviceId={serviceId} />
      <ForRole lowest="member">{service.state !== "Deleted" && <DeleteService service={service} />}</ForRole>
    </Stack>
  );
}

/** A deployment never changes: its settings are changed by deploying again. */
function DeploymentSettings({ service: { service_id: serviceId } }: { readonly service: Service }) {
  const { data } = useQuery(deploymentsQuery(serviceId));
  const current = data?.items.find(({ state }) => state === "Ready") ?? data?.items[0];
  return (
    <Card withBorder component="section" aria-label="Deployment settings">
      <Stack gap="xs">
        <Title order={2} size="h3">
          Environment, Scaling and Limits
        </Title>
        <Text c="dimmed">A change is a new deployment. What serves now continues to serve until that is ready.</Text>
        {current !== undefined && <SettingsTable of={current} />}
        <ForRole lowest="member">
          <Group>
            <Button
              variant="default"
              renderRoot={(props) => <Link to="/services/$serviceId/deploy" params={{ serviceId }} {...props} />}
            >
              Change Settings
            </Button>
          </Group>
        </ForRole>
      </Stack>
    </Card>
  );
}

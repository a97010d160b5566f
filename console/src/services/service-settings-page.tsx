/** What may be changed of a service while it serves. */
import { Stack, Title } from "@mantine/core";
import { useParams } from "@tanstack/react-router";
import { Webhooks } from "../webhooks/webhooks.tsx";

export function ServiceSettingsPage() {
  const { serviceId } = useParams({ from: "/inside/services/$serviceId/settings" });
  return (
    <Stack>
      <Title order={1} size="h2">
        Settings
      </Title>
      <Webhooks serviceId={serviceId} />
    </Stack>
  );
}

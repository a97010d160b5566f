/** The webhooks of a service: added, tested, removed. */
import { Accordion, Badge, Button, Group, Stack, Text, Title } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { components } from "elastic-client/gen/schema.ts";
import { api } from "../api/client.ts";
import { dataOf } from "../api/problem.ts";
import { MutationError } from "../layout/mutation-error.tsx";
import { QueryState } from "../layout/query-state.tsx";
import { Time } from "../layout/time.tsx";
import { ForRole } from "../session/for-role.tsx";
import { visibleLine } from "../text/visible-text.ts";
import { AddWebhookDialog } from "./add-webhook-dialog.tsx";
import { Deliveries } from "./deliveries.tsx";
import { EditWebhookDialog } from "./edit-webhook-dialog.tsx";
import { RotateSecret } from "./rotate-secret.tsx";
import { deliveriesQuery, webhooksQuery } from "./webhooks-query.ts";

type Webhook = components["schemas"]["Webhook"];

export function Webhooks({ serviceId }: { readonly serviceId: string }) {
  const webhooks = useQuery(webhooksQuery(serviceId));
  const [isAdding, { open, close }] = useDisclosure(false);
  return (
    <Stack>
      <Group justify="space-between">
        <Title order={2} size="h3">
          Webhooks
        </Title>
        <ForRole lowest="member">
          <Button onClick={open}>Add New Webhook</Button>
        </ForRole>
      </Group>
      <QueryState
        query={webhooks}
        empty={({ items }) => (items.length === 0 ? "No webhooks. One is sent results instead of your polling." : null)}
      >
        {({ items }) => (
          <Accordion variant="separated">
            {items.map((webhook) => (
              <WebhookItem key={webhook.webhook_id} of={webhook} />
            ))}
          </Accordion>
        )}
      </QueryState>
      <AddWebhookDialog serviceId={serviceId} opened={isAdding} onClose={close} />
    </Stack>
  );
}

function WebhookItem({ of: webhook }: { readonly of: Webhook }) {
  const { webhook_id: id } = webhook;
  const queries = useQueryClient();
  const path = { id };
  const test = useMutation({
    mutationFn: () => dataOf(api.POST("/v1/webhooks/{id}/test", { params: { path } })),
    onSuccess: () => queries.invalidateQueries(deliveriesQuery(id)),
  });
  const [isEditing, { open: edit, close }] = useDisclosure(false);
  const toggle = useMutation({
    mutationFn: () => dataOf(api.PATCH("/v1/webhooks/{id}", { params: { path }, body: { enabled: !webhook.enabled } })),
    onSettled: () => queries.invalidateQueries(webhooksQuery(webhook.service_id)),
  });
  const removal = useMutation({
    mutationFn: () => dataOf(api.DELETE("/v1/webhooks/{id}", { params: { path } })),
    onSettled: () => queries.invalidateQueries(webhooksQuery(webhook.service_id)),
  });
  return (
    <Accordion.Item value={id}>
      <Accordion.Control>
        <Group gap="xs">
          <Text fw={600} style={{ overflowWrap: "anywhere" }}>
            {visibleLine(webhook.name)}
          </Text>
          {!webhook.enabled && <Badge color="gray">Disabled</Badge>}
          <Text c="dimmed" style={{ overflowWrap: "anywhere" }}>
            {visibleLine(webhook.url)}
          </Text>
        </Group>
      </Accordion.Control>
      <Accordion.Panel>
        <Stack>
          <ForRole lowest="member">
            <Group>
              <Button variant="default" loading={test.isPending} onClick={() => test.mutate()}>
                Test
              </Button>
              <Button variant="default" onClick={edit}>
                Edit
              </Button>
              <RotateSecret webhookId={id} serviceId={webhook.service_id} />
              <Button variant="default" loading={toggle.isPending} onClick={() => toggle.mutate()}>
                {webhook.enabled ? "Disable" : "Enable"}
              </Button>
              <Button color="red" variant="light" loading={removal.isPending} onClick={() => removal.mutate()}>
                Remove
              </Button>
            </Group>
          </ForRole>
          <MutationError of={test} />
          <MutationError of={toggle} />
          <MutationError of={removal} />
          {webhook.old_secret_expires !== null && (
            <Text size="sm" c="dimmed">
              The secret before signs too until <Time of={webhook.old_secret_expires} />.
            </Text>
          )}
          {isEditing && <EditWebhookDialog webhook={webhook} opened onClose={close} />}
          <Deliveries webhookId={id} />
        </Stack>
      </Accordion.Panel>
    </Accordion.Item>
  );
}

/** Changes a webhook's name and URL. */
import { Modal } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { components } from "elastic-client/gen/schema.ts";
import { api } from "../api/client.ts";
import { dataOf } from "../api/problem.ts";
import { WebhookForm, type WebhookSettings } from "./webhook-form.tsx";
import { webhooksQuery } from "./webhooks-query.ts";

interface EditWebhookDialogProps {
  readonly webhook: components["schemas"]["Webhook"];
  readonly opened: boolean;
  readonly onClose: () => void;
}

export function EditWebhookDialog({ webhook, opened, onClose }: EditWebhookDialogProps) {
  const { webhook_id: id, service_id: serviceId, name, url } = webhook;
  const queries = useQueryClient();
  const change = useMutation({
    mutationFn: (body: WebhookSettings) => dataOf(api.PATCH("/v1/webhooks/{id}", { params: { path: { id } }, body })),
    onSuccess: async () => {
      await queries.invalidateQueries(webhooksQuery(serviceId));
      onClose();
    },
  });
  return (
    <Modal opened={opened} onClose={onClose} title="Change the webhook" closeButtonProps={{ "aria-label": "Close" }}>
      <WebhookForm initial={{ name, url }} onSubmit={change.mutate} submission={change} />
    </Modal>
  );
}

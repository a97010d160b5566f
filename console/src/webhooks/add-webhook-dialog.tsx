/** Adds a webhook; then shows the secret that signs what it is sent, once. */
import { Modal } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "../api/client.ts";
import { dataOf } from "../api/problem.ts";
import { SecretOnce } from "../layout/secret-once.tsx";
import { WebhookForm, type WebhookSettings } from "./webhook-form.tsx";
import { webhooksQuery } from "./webhooks-query.ts";

interface AddWebhookDialogProps {
  readonly serviceId: string;
  readonly opened: boolean;
  readonly onClose: () => void;
}

export function AddWebhookDialog({ serviceId, opened, onClose }: AddWebhookDialogProps) {
  const queries = useQueryClient();
  const path = { id: serviceId };
  const creation = useMutation({
    mutationFn: (body: WebhookSettings) => dataOf(api.POST("/v1/services/{id}/webhooks", { params: { path }, body })),
    onSuccess: () => queries.invalidateQueries(webhooksQuery(serviceId)),
  });
  const close = () => {
    creation.reset();
    onClose();
  };
  return (
    <Modal opened={opened} onClose={close} title="Add a webhook" closeButtonProps={{ "aria-label": "Close" }}>
      {creation.data === undefined ? (
        <WebhookForm initial={{ name: "", url: "" }} onSubmit={creation.mutate} submission={creation} />
      ) : (
        <SecretOnce secret={creation.data.secret} label="webhook secret" onDone={close}>
          With it the receiver checks each signature, as the Standard Webhooks specification says.
        </SecretOnce>
      )}
    </Modal>
  );
}

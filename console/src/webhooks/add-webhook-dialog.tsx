/** Adds a webhook; then shows the secret that signs what it is sent, once. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "../api/client.ts";
import { madeBy } from "../api/problem.ts";
import { SecretDialog } from "../layout/secret-dialog.tsx";
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
    mutationFn: (body: WebhookSettings) =>
      madeBy(api.POST("/v1/services/{id}/webhooks", { params: { path }, body }), "secret"),
    onSuccess: () => queries.invalidateQueries(webhooksQuery(serviceId)),
    gcTime: 0,
  });
  return (
    <SecretDialog
      title="Add a webhook"
      opened={opened}
      onClose={onClose}
      creation={creation}
      form={<WebhookForm initial={{ name: "", url: "" }} onSubmit={creation.mutate} submission={creation} />}
    >
      {({ secret }, onDone) => (
        <SecretOnce secret={secret} label="webhook secret" onDone={onDone}>
          With it the receiver checks each signature, as the Standard Webhooks specification says.
        </SecretOnce>
      )}
    </SecretDialog>
  );
}

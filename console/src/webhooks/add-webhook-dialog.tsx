/** Names a webhook and where it is; then shows the secret that signs what it is sent, once. */
import { Button, Group, Modal, Stack, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { api } from "../api/client.ts";
import { dataOf } from "../api/problem.ts";
import { MutationError } from "../layout/mutation-error.tsx";
import { SecretOnce } from "../layout/secret-once.tsx";
import { webhooksQuery } from "./webhooks-query.ts";

interface AddWebhookDialogProps {
  readonly serviceId: string;
  readonly opened: boolean;
  readonly onClose: () => void;
}

export function AddWebhookDialog({ serviceId, opened, onClose }: AddWebhookDialogProps) {
  const queries = useQueryClient();
  const [name, setName] = useState("");
  const [url, setUrl] = useState("");
  const path = { id: serviceId };
  const creation = useMutation({
    mutationFn: () => dataOf(api.POST("/v1/services/{id}/webhooks", { params: { path }, body: { name, url } })),
    onSuccess: () => queries.invalidateQueries(webhooksQuery(serviceId)),
  });
  const close = () => {
    creation.reset();
    setName("");
    setUrl("");
    onClose();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    creation.mutate();
  };
  return (
    <Modal opened={opened} onClose={close} title="Add a webhook" closeButtonProps={{ "aria-label": "Close" }}>
      {creation.data === undefined ? (
        <form onSubmit={submit}>
          <Stack>
            <TextInput
              label="Name"
              required
              maxLength={100}
              data-autofocus
              value={name}
              onChange={(event) => setName(event.currentTarget.value)}
            />
            <TextInput
              label="URL"
              description="https, and reachable from outside"
              required
              type="url"
              value={url}
              onChange={(event) => setUrl(event.currentTarget.value)}
            />
            <MutationError of={creation} />
            <Group justify="end">
              <Button type="submit" loading={creation.isPending}>
                Save
              </Button>
            </Group>
          </Stack>
        </form>
      ) : (
        <SecretOnce secret={creation.data.secret} label="webhook secret" onDone={close}>
          With it the receiver checks each signature, as the Standard Webhooks specification says.
        </SecretOnce>
      )}
    </Modal>
  );
}

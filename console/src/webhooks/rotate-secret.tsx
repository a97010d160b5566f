/** Gives a webhook a new secret and shows it, once. */
import { Button, Group, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "../api/client.ts";
import { dataOf } from "../api/problem.ts";
import { MutationError } from "../layout/mutation-error.tsx";
import { SecretDialog } from "../layout/secret-dialog.tsx";
import { SecretOnce } from "../layout/secret-once.tsx";
import { webhooksQuery } from "./webhooks-query.ts";

interface RotateSecretProps {
  readonly webhookId: string;
  readonly serviceId: string;
}

export function RotateSecret({ webhookId: id, serviceId }: RotateSecretProps) {
  const queries = useQueryClient();
  const [opened, { open, close }] = useDisclosure(false);
  const rotation = useMutation({
    mutationFn: () => dataOf(api.POST("/v1/webhooks/{id}/rotate-secret", { params: { path: { id } } })),
    onSuccess: () => queries.invalidateQueries(webhooksQuery(serviceId)),
    gcTime: 0,
  });
  return (
    <>
      <Button variant="default" onClick={open}>
        Rotate Secret
      </Button>
      <SecretDialog
        title="Rotate the secret"
        opened={opened}
        onClose={close}
        creation={rotation}
        form={
          <Stack>
            <Text>The current secret continues to sign for 24 hours, next to the new one.</Text>
            <MutationError of={rotation} />
            <Group justify="end">
              <Button loading={rotation.isPending} onClick={() => rotation.mutate()}>
                Create New Secret
              </Button>
            </Group>
          </Stack>
        }
      >
        {({ secret }, onDone) => (
          <SecretOnce secret={secret} label="webhook secret" onDone={onDone}>
            Give it to the receiver within 24 hours.
          </SecretOnce>
        )}
      </SecretDialog>
    </>
  );
}

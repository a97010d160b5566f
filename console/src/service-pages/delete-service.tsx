/** Deletes a service, once its name was typed. */
import { Button, Card, Group, Modal, Stack, Text, TextInput, Title } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { components } from "elastic-client/gen/schema.ts";
import { type FormEvent, useState } from "react";
import { api } from "../api/client.ts";
import { dataOf } from "../api/problem.ts";
import { MutationError } from "../layout/mutation-error.tsx";
import { servicesQuery } from "../services/services-query.ts";

type Service = components["schemas"]["Service"];

export function DeleteService({ service }: { readonly service: Service }) {
  const [opened, { open, close }] = useDisclosure(false);
  return (
    <Card withBorder component="section" aria-label="Delete the service">
      <Group justify="space-between">
        <div>
          <Title order={2} size="h3">
            Delete
          </Title>
          <Text c="dimmed">Open tasks are cancelled and its endpoint stops. This cannot be undone.</Text>
        </div>
        <Button color="red" variant="light" onClick={open}>
          Delete Service
        </Button>
      </Group>
      <Modal opened={opened} onClose={close} title="Delete the service" closeButtonProps={{ "aria-label": "Close" }}>
        <Confirmation service={service} />
      </Modal>
    </Card>
  );
}

function Confirmation({ service: { service_id: id, service_name: name } }: { readonly service: Service }) {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [typed, setTyped] = useState("");
  const removal = useMutation({
    mutationFn: () => dataOf(api.DELETE("/v1/services/{id}", { params: { path: { id } } })),
    onSuccess: async () => {
      await queries.invalidateQueries(servicesQuery);
      await navigate({ to: "/services" });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    removal.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <TextInput
          label={`Type ${name} to delete it`}
          autoComplete="off"
          data-autofocus
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <MutationError of={removal} />
        <Group justify="end">
          <Button type="submit" color="red" disabled={typed !== name} loading={removal.isPending}>
            Delete
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

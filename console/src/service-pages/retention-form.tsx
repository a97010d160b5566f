/** How long inputs, results and logs of a service's tasks are retained. */
import { Button, Card, Group, NumberInput, Stack, Text, Title } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { components } from "elastic-client/gen/schema.ts";
import { type FormEvent, useState } from "react";
import { api } from "../api/client.ts";
import { dataOf } from "../api/problem.ts";
import { MutationError } from "../layout/mutation-error.tsx";
import { serviceQuery } from "../services/services-query.ts";

type Service = components["schemas"]["Service"];

const HOUR_SECONDS = 3_600;
const HOURS_MAX = 90 * 24;

export function RetentionForm({
  service: { service_id: id, result_retention_seconds },
}: {
  readonly service: Service;
}) {
  const queries = useQueryClient();
  const [hours, setHours] = useState<number | string>(result_retention_seconds / HOUR_SECONDS);
  const change = useMutation({
    mutationFn: () => {
      const body = { result_retention_seconds: Math.round(Number(hours) * HOUR_SECONDS) };
      return dataOf(api.PATCH("/v1/services/{id}", { params: { path: { id } }, body }));
    },
    onSuccess: (changed) => queries.setQueryData(serviceQuery(id).queryKey, changed),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    change.mutate();
  };
  return (
    <Card withBorder component="section" aria-label="Retention">
      <form onSubmit={submit}>
        <Stack gap="xs">
          <Title order={2} size="h3">
            Retention
          </Title>
          <Text c="dimmed">
            Inputs, results and logs are removed after this time. It holds for tasks created from then on.
          </Text>
          <Group align="end">
            <NumberInput
              label="Hours after a task has ended"
              min={1}
              max={HOURS_MAX}
              decimalScale={2}
              required
              value={hours}
              onChange={setHours}
            />
            <Button type="submit" variant="default" loading={change.isPending}>
              Save Retention
            </Button>
            {change.isSuccess && <Text role="status">Saved.</Text>}
          </Group>
          <MutationError of={change} />
        </Stack>
      </form>
    </Card>
  );
}

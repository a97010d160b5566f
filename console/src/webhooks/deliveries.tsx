/** What was sent to a webhook, how it was answered, and the way to send it again. */

import { Badge, Button, Stack, Table, Text } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { components } from "elastic-cli/api/gen/schema.ts";
import { api } from "../api/client.ts";
import { dataOf } from "../api/problem.ts";
import { ColumnNames } from "../layout/column-names.tsx";
import { QueryState } from "../layout/query-state.tsx";
import { Time } from "../layout/time.tsx";
import { deliveriesQuery } from "./webhooks-query.ts";

type Delivery = components["schemas"]["Delivery"];

const COLORS = { pending: "yellow", delivered: "green", failed: "red", dropped: "gray" } as const;

export function Deliveries({ webhookId }: { readonly webhookId: string }) {
  const deliveries = useQuery(deliveriesQuery(webhookId));
  return (
    <QueryState query={deliveries} empty={({ items }) => (items.length === 0 ? "Nothing was sent yet." : null)}>
      {({ items }) => (
        <Table.ScrollContainer minWidth={520}>
          <Table>
            <ColumnNames names={["Event", "State", "Attempts", "Created", "Action"]} />
            <Table.Tbody>
              {items.map((delivery) => (
                <DeliveryRow key={delivery.delivery_id} of={delivery} />
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
    </QueryState>
  );
}

function DeliveryRow({ of: delivery }: { readonly of: Delivery }) {
  const queries = useQueryClient();
  const { mutate, isPending } = useMutation({
    mutationFn: () =>
      dataOf(api.POST("/v1/deliveries/{id}/redeliver", { params: { path: { id: delivery.delivery_id } } })),
    onSettled: () => queries.invalidateQueries(deliveriesQuery(delivery.webhook_id)),
  });
  return (
    <Table.Tr>
      <Table.Td>{delivery.type}</Table.Td>
      <Table.Td>
        <Badge color={COLORS[delivery.state]}>{delivery.state}</Badge>
      </Table.Td>
      <Table.Td>
        <Stack gap={0}>
          {delivery.attempts.map(({ at, status, error, duration_ms: ms }) => (
            <Text size="sm" key={at}>
              {status ?? error ?? "no response"} after {ms} ms
            </Text>
          ))}
        </Stack>
      </Table.Td>
      <Table.Td>
        <Time of={delivery.created} />
      </Table.Td>
      <Table.Td>
        <Button size="compact-sm" variant="default" loading={isPending} onClick={() => mutate()}>
          Redeliver
        </Button>
      </Table.Td>
    </Table.Tr>
  );
}

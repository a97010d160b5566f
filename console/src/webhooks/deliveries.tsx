/** What was sent to a webhook, the responses, and the way to send it again. */
import { Badge, Button, Group, Modal, Table } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { components } from "elastic-client/gen/schema.ts";
import { useState } from "react";
import { api } from "../api/client.ts";
import { dataOf } from "../api/problem.ts";
import { ColumnNames } from "../layout/column-names.tsx";
import { MutationError } from "../layout/mutation-error.tsx";
import { QueryState } from "../layout/query-state.tsx";
import { Time } from "../layout/time.tsx";
import { ForRole } from "../session/for-role.tsx";
import { DeliveryDetails } from "./delivery-details.tsx";
import { deliveriesQuery, deliveryQuery } from "./webhooks-query.ts";

type Delivery = components["schemas"]["Delivery"];

const COLORS = { pending: "yellow", delivered: "green", failed: "red", dropped: "gray" } as const;

export function Deliveries({ webhookId }: { readonly webhookId: string }) {
  const deliveries = useQuery(deliveriesQuery(webhookId));
  const [shown, setShown] = useState<string | null>(null);
  return (
    <>
      <QueryState query={deliveries} empty={({ items }) => (items.length === 0 ? "Nothing was sent yet." : null)}>
        {({ items }) => (
          <Table.ScrollContainer
            minWidth={620}
            scrollAreaProps={{ viewportProps: { tabIndex: 0, "aria-label": "Deliveries" } }}
          >
            <Table>
              <ColumnNames names={["Event", "State", "Attempts", "Created", "Action"]} />
              <Table.Tbody>
                {items.map((delivery) => (
                  <DeliveryRow key={delivery.delivery_id} of={delivery} onShow={setShown} />
                ))}
              </Table.Tbody>
            </Table>
          </Table.ScrollContainer>
        )}
      </QueryState>
      <Modal
        opened={shown !== null}
        onClose={() => setShown(null)}
        title="Delivery"
        size="lg"
        closeButtonProps={{ "aria-label": "Close" }}
      >
        {shown !== null && <DeliveryDetails deliveryId={shown} />}
      </Modal>
    </>
  );
}

interface DeliveryRowProps {
  readonly of: Delivery;
  readonly onShow: (deliveryId: string) => void;
}

function DeliveryRow({ of: delivery, onShow }: DeliveryRowProps) {
  const { delivery_id: id, webhook_id, attempts } = delivery;
  const queries = useQueryClient();
  const redelivery = useMutation({
    mutationFn: () => dataOf(api.POST("/v1/deliveries/{id}/redeliver", { params: { path: { id } } })),
    onSettled: async () => {
      await queries.invalidateQueries(deliveriesQuery(webhook_id));
      await queries.invalidateQueries(deliveryQuery(id));
    },
  });
  const last = attempts.at(-1);
  return (
    <Table.Tr>
      <Table.Td>{delivery.type}</Table.Td>
      <Table.Td>
        <Badge color={COLORS[delivery.state]}>{delivery.state}</Badge>
      </Table.Td>
      <Table.Td>
        {attempts.length}
        {last !== undefined && `, last: ${last.status ?? last.error ?? "no response"}`}
      </Table.Td>
      <Table.Td>
        <Time of={delivery.created} />
      </Table.Td>
      <Table.Td>
        <Group gap="xs" wrap="nowrap">
          <Button size="compact-sm" variant="default" onClick={() => onShow(id)}>
            Show
          </Button>
          <ForRole lowest="member">
            <Button
              size="compact-sm"
              variant="default"
              loading={redelivery.isPending}
              onClick={() => redelivery.mutate()}
            >
              Redeliver
            </Button>
          </ForRole>
        </Group>
        <MutationError of={redelivery} />
      </Table.Td>
    </Table.Tr>
  );
}

/** What a delivery posts, and the response to each attempt. */
import { Code, Loader, Stack, Table, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { components } from "elastic-client/gen/schema.ts";
import { messageOf } from "../api/problem.ts";
import { TextBlock } from "../layout/text-block.tsx";
import { Time } from "../layout/time.tsx";
import { deliveryQuery } from "./webhooks-query.ts";

type Delivery = components["schemas"]["DeliveryWithRequest"];

export function DeliveryDetails({ deliveryId }: { readonly deliveryId: string }) {
  const { data, error } = useQuery(deliveryQuery(deliveryId));
  if (error !== null) return <Text c="red">{messageOf(error)}</Text>;
  if (data === undefined) return <Loader size="sm" aria-label="Reading the delivery" />;
  return (
    <Stack gap="xs">
      <Text fw={600}>Request</Text>
      {data.request === null ? (
        <Text c="dimmed">What it is about was removed, or you may not read it.</Text>
      ) : (
        <Request of={data.request} />
      )}
      <Text fw={600}>Attempts</Text>
      {data.attempts.length === 0 && <Text c="dimmed">None yet.</Text>}
      {data.attempts.map(({ at, status, error: why, answer, duration_ms }) => (
        <Stack key={at} gap={4}>
          <Text size="sm">
            <Time of={at} />: {status === null ? "no response" : `status ${status}`}
            {why !== null && ` (${why})`} after {duration_ms} ms
          </Text>
          {answer !== null && <TextBlock text={answer} label="Start of the response" />}
        </Stack>
      ))}
    </Stack>
  );
}

function Request({ of: { url, headers, body } }: { readonly of: NonNullable<Delivery["request"]> }) {
  return (
    <>
      <Code style={{ overflowWrap: "anywhere" }}>POST {url}</Code>
      <Table variant="vertical" layout="fixed">
        <Table.Tbody>
          {Object.entries(headers).map(([name, value]) => (
            <Table.Tr key={name}>
              <Table.Th scope="row">{name}</Table.Th>
              <Table.Td style={{ overflowWrap: "anywhere" }}>{value}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <TextBlock text={body} label="Body" />
      <Text size="sm" c="dimmed">
        Each attempt adds its own time and signature, and its links are new.
      </Text>
    </>
  );
}

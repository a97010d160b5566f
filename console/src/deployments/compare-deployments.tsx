/** What two deployments do not have in common. */
import { Group, Select, Stack, Table, Text } from "@mantine/core";
import type { components } from "elastic-client/gen/schema.ts";
import { useState } from "react";
import { ColumnNames } from "../layout/column-names.tsx";
import { differencesOf } from "./settings.ts";

type Deployment = components["schemas"]["Deployment"];

/** The newest first; at least two. */
export function CompareDeployments({ deployments }: { readonly deployments: readonly Deployment[] }) {
  const [newest, second] = deployments;
  const [beforeId, setBefore] = useState(second?.deployment_id ?? null);
  const [afterId, setAfter] = useState(newest?.deployment_id ?? null);
  const named = (id: string | null) => deployments.find(({ deployment_id }) => deployment_id === id);
  const [before, after] = [named(beforeId), named(afterId)];
  const options = deployments.map(({ deployment_id: value, tag, created }) => ({
    value,
    label: `${tag}, ${created} UTC`,
  }));
  return (
    <Stack>
      <Group>
        <Select label="Compare" w={280} allowDeselect={false} data={options} value={beforeId} onChange={setBefore} />
        <Select label="With" w={280} allowDeselect={false} data={options} value={afterId} onChange={setAfter} />
      </Group>
      {before !== undefined && after !== undefined && <Differences before={before} after={after} />}
    </Stack>
  );
}

function Differences({ before, after }: { readonly before: Deployment; readonly after: Deployment }) {
  const differences = differencesOf(before, after);
  if (differences.length === 0) {
    return (
      <Text c="dimmed">They have the same settings. Values of environment variables are secret and not compared.</Text>
    );
  }
  return (
    <Table.ScrollContainer
      minWidth={480}
      scrollAreaProps={{ viewportProps: { tabIndex: 0, "aria-label": "Differences" } }}
    >
      <Table>
        <ColumnNames names={["Setting", "Before", "After"]} />
        <Table.Tbody>
          {differences.map((one) => (
            <Table.Tr key={one.field}>
              <Table.Td>{one.field}</Table.Td>
              <Table.Td style={{ overflowWrap: "anywhere" }}>{one.before}</Table.Td>
              <Table.Td style={{ overflowWrap: "anywhere" }}>{one.after}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

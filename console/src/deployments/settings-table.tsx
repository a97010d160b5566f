/** A deployment's settings, to read. */
import { Table } from "@mantine/core";
import type { components } from "elastic-client/gen/schema.ts";
import { settingsOf } from "./settings.ts";

type Deployment = components["schemas"]["Deployment"];

export function SettingsTable({ of }: { readonly of: Deployment }) {
  return (
    <Table variant="vertical" layout="fixed" withTableBorder>
      <Table.Tbody>
        {settingsOf(of).map(({ field, value }) => (
          <Table.Tr key={field}>
            <Table.Th scope="row" w="45%">
              {field}
            </Table.Th>
            <Table.Td style={{ overflowWrap: "anywhere" }}>{value}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

/** The first row of a table. */
import { Table } from "@mantine/core";

export function ColumnNames({ names }: { readonly names: readonly string[] }) {
  return (
    <Table.Thead>
      <Table.Tr>
        {names.map((name) => (
          <Table.Th key={name}>{name}</Table.Th>
        ))}
      </Table.Tr>
    </Table.Thead>
  );
}

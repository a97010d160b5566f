/** What each pool has, is to have and may have, and what was last decided. */
import { Badge, Stack, Table, Text } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "../api/client.ts";
import { dataOf } from "../api/problem.ts";
import { ColumnNames } from "../layout/column-names.tsx";
import { ConfirmButton } from "../layout/confirm-button.tsx";
import { Time } from "../layout/time.tsx";
import { budgetTexts } from "./pool-text.ts";
import { type Pool, poolsQuery } from "./pools-query.ts";

const COLUMNS = ["Pool", "Min", "Max", "Machines now", "Wanted", "Warm spare", "Budget used", "Last decision"];

export function PoolTable({ pools }: { readonly pools: readonly Pool[] }) {
  return (
    <Table.ScrollContainer minWidth={900}>
      <Table>
        <ColumnNames names={COLUMNS} />
        <Table.Tbody>
          {pools.map((pool) => {
            const [hour, day] = budgetTexts(pool);
            return (
              <Table.Tr key={pool.pool}>
                <Table.Td>{pool.pool}</Table.Td>
                <Table.Td>{pool.min}</Table.Td>
                <Table.Td>{pool.max}</Table.Td>
                <Table.Td>
                  {pool.coming === 0 ? pool.machines : `${pool.machines}, ${pool.coming} not joined yet`}
                </Table.Td>
                <Table.Td>{pool.wanted}</Table.Td>
                <Table.Td>{pool.warm_spare}</Table.Td>
                <Table.Td>
                  <Text size="sm">{hour}</Text>
                  <Text size="sm">{day}</Text>
                </Table.Td>
                <Table.Td>{pool.stopped === null ? pool.why : <Stopped of={pool} since={pool.stopped} />}</Table.Td>
              </Table.Tr>
            );
          })}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function Stopped({ of: { pool: id, stopped_reason: reason }, since }: { readonly of: Pool; readonly since: string }) {
  const queries = useQueryClient();
  const resuming = useMutation({
    mutationFn: () => dataOf(api.POST("/v1/pools/{id}/resume", { params: { path: { id } } })),
    onSettled: () => queries.invalidateQueries(poolsQuery),
  });
  return (
    <Stack gap="xs" align="start">
      <Badge color="red" role="status" tt="none">
        Growth is stopped
      </Badge>
      <Text size="sm">
        {reason}, <Time of={since} />
      </Text>
      <ConfirmButton label="Resume" action={`Resume the pool ${id}`} size="compact-sm" mutation={resuming}>
        <Text>It requests machines again, and earlier failures count no longer. First fix what kept them away.</Text>
      </ConfirmButton>
    </Stack>
  );
}

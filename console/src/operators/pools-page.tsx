/** Pools of machines: how many each has and is to have, what they cost, why each grows or does not, and what waits for machines. */
import { Stack, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { PageTitle } from "../layout/page-title.tsx";
import { QueryState } from "../layout/query-state.tsx";
import { DemandTable } from "./demand-table.tsx";
import { PoolTable } from "./pool-table.tsx";
import { demandQuery, poolsQuery } from "./pools-query.ts";

const NO_POOLS = "There are no pools: the fleet has the machines that joined. `elastic pool set` creates one.";
const NO_DEMAND = "Nothing waits for a machine: there is room for every workload that is wanted.";

export function PoolsPage() {
  const pools = useQuery(poolsQuery);
  const demand = useQuery(demandQuery);
  return (
    <Stack>
      <PageTitle title="Pools" />
      <QueryState query={pools} empty={({ total }) => (total === 0 ? NO_POOLS : null)}>
        {({ items }) => <PoolTable pools={items} />}
      </QueryState>
      <Title order={2} size="h3">
        Demand without a machine
      </Title>
      <QueryState query={demand} empty={({ items }) => (items.length === 0 ? NO_DEMAND : null)}>
        {(one) => <DemandTable of={one} />}
      </QueryState>
    </Stack>
  );
}

/** Charts of a service over the last hours. */
import { SegmentedControl, SimpleGrid, Stack, Text } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { useMemo } from "react";
import { QueryState } from "../layout/query-state.tsx";
import { Time } from "../layout/time.tsx";
import { Chart } from "./chart.tsx";
import { type ServiceMetrics, serviceMetricsQuery } from "./metrics-query.ts";
import { RANGE_LABELS, RANGES, type Range } from "./range.ts";
import { serviceCharts, timesOf } from "./service-charts.ts";

export function ServiceMetricsPage() {
  const { serviceId } = useParams({ from: "/inside/services/$serviceId/metrics" });
  const { range = "1h" } = useSearch({ from: "/inside/services/$serviceId/metrics" });
  const navigate = useNavigate({ from: "/services/$serviceId/metrics" });
  const metrics = useQuery({ ...serviceMetricsQuery(serviceId, range), placeholderData: keepPreviousData });
  return (
    <Stack>
      <SegmentedControl
        aria-label="Time"
        w="fit-content"
        value={range}
        data={RANGES.map((value) => ({ value, label: RANGE_LABELS[value] }))}
        onChange={(value) => void navigate({ search: { range: value as Range } })}
      />
      <QueryState query={metrics}>{(shown) => <Charts of={shown} />}</QueryState>
    </Stack>
  );
}

function Charts({ of: { points, since } }: { readonly of: ServiceMetrics }) {
  const times = useMemo(() => timesOf(points), [points]);
  const charts = useMemo(() => serviceCharts(points), [points]);
  const begin = points[0]?.at ?? "";
  return (
    <>
      {since > begin && (
        <Text c="dimmed" size="sm">
          The coordinator knows all ended tasks since <Time of={since} />.
        </Text>
      )}
      <SimpleGrid cols={{ base: 1, lg: 2 }}>
        {charts.map((chart) => (
          <Chart key={chart.title} times={times} {...chart} />
        ))}
      </SimpleGrid>
    </>
  );
}

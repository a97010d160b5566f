/** What the team's tasks used, by day and by service. What is chosen is in the address, so that a link shows the same. */
import { Button, Group, SegmentedControl, Select, SimpleGrid, Stack, Title } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { activeTeam } from "../active-team/active-team.ts";
import { api } from "../api/client.ts";
import { dataOf } from "../api/problem.ts";
import { Facts } from "../layout/facts.tsx";
import { PageTitle } from "../layout/page-title.tsx";
import { QueryState } from "../layout/query-state.tsx";
import { servicesQuery } from "../services/services-query.ts";
import { BarList } from "./bar-list.tsx";
import { MEASURES, type Measure, RANGES_DAYS, rangeOf, type UsageFilter } from "./usage-filter.ts";
import { byDay, byService, totalOf, type UsageDay, type Used } from "./usage-sums.ts";

const REFRESH_MS = 60_000;
const MEASURE_NAMES: Readonly<Record<Measure, string>> = {
  tasks: "Tasks",
  gpu_seconds: "GPU-seconds",
  slot_seconds: "Slot-seconds",
};

export function UsagePage() {
  const filter = useSearch({ from: "/inside/settings/usage" });
  const navigate = useNavigate({ from: "/settings/usage" });
  const teamId = activeTeam() ?? "";
  const [now] = useState(Date.now);
  const range = rangeOf(filter.days ?? 30, now);
  const usage = useQuery({
    queryKey: ["usage", teamId, range],
    queryFn: () => dataOf(api.GET("/v1/teams/{id}/usage/days", { params: { path: { id: teamId }, query: range } })),
    refetchInterval: REFRESH_MS,
    placeholderData: keepPreviousData,
  });
  const isShown = ({ service_id: id }: UsageDay) => filter.service_id === undefined || id === filter.service_id;
  return (
    <Stack>
      <PageTitle title="Usage">
        <Button
          component="a"
          variant="default"
          href={`/v1/teams/${teamId}/usage/export?${new URLSearchParams(range)}`}
          download
        >
          Export CSV
        </Button>
      </PageTitle>
      <UsageFilters
        filter={filter}
        onChange={(changed) => void navigate({ search: { ...filter, ...changed }, replace: true })}
      />
      <QueryState query={usage} empty={({ items }) => (items.some(isShown) ? null : "No tasks ended in that time.")}>
        {({ items }) => <UsageOf rows={items.filter(isShown)} measure={filter.by ?? "tasks"} />}
      </QueryState>
    </Stack>
  );
}

interface UsageFiltersProps {
  readonly filter: UsageFilter;
  readonly onChange: (changed: UsageFilter) => void;
}

function UsageFilters({ filter, onChange }: UsageFiltersProps) {
  const { data: services } = useQuery(servicesQuery);
  return (
    <Group align="end">
      <Select
        label="Time"
        w={160}
        allowDeselect={false}
        value={String(filter.days ?? 30)}
        data={RANGES_DAYS.map((days) => ({ value: String(days), label: `Last ${days} days` }))}
        onChange={(value) => onChange({ days: RANGES_DAYS.find((days) => String(days) === value) })}
      />
      <Select
        label="Service"
        placeholder="All"
        clearable
        searchable
        w={200}
        value={filter.service_id ?? null}
        data={(services?.items ?? []).map(({ service_id: value, service_name: label }) => ({ value, label }))}
        onChange={(value) => onChange({ service_id: value ?? undefined })}
      />
      <SegmentedControl
        aria-label="Measure"
        value={filter.by ?? "tasks"}
        data={MEASURES.map((value) => ({ value, label: MEASURE_NAMES[value] }))}
        onChange={(value) => onChange({ by: MEASURES.find((measure) => measure === value) })}
      />
    </Group>
  );
}

function UsageOf({ rows, measure }: { readonly rows: readonly UsageDay[]; readonly measure: Measure }) {
  const total = totalOf(rows);
  const barsOf = (used: readonly Used[]) =>
    used.map((one) => ({ key: one.key, label: one.label, value: one[measure], text: numberText(one[measure]) }));
  return (
    <>
      <Facts
        of={{
          Tasks: numberText(total.tasks),
          Succeeded: numberText(total.succeeded),
          "GPU-seconds": numberText(total.gpu_seconds),
          "Slot-seconds": numberText(total.slot_seconds),
        }}
      />
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="xl">
        <Stack>
          <Title order={2} size="h3">
            By service
          </Title>
          <BarList label={`${MEASURE_NAMES[measure]} by service`} bars={barsOf(byService(rows, measure))} />
        </Stack>
        <Stack>
          <Title order={2} size="h3">
            By day
          </Title>
          <BarList label={`${MEASURE_NAMES[measure]} by day, in UTC`} bars={barsOf(byDay(rows))} />
        </Stack>
      </SimpleGrid>
    </>
  );
}

function numberText(value: number): string {
  return value.toLocaleString(undefined, { maximumFractionDigits: 1 });
}

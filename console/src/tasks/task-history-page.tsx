/** The team's tasks, newest first. What is filtered by is in the address, so that a link shows the same. */
import { Group, Pagination, Select, Stack, Text, Title } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { api } from "../api/client.ts";
import { dataOf } from "../api/problem.ts";
import { QueryState } from "../layout/query-state.tsx";
import { servicesQuery } from "../services/services-query.ts";
import { PHASES, type TaskFilter } from "./task-filter.ts";
import { TaskTable } from "./task-table.tsx";

const REFRESH_MS = 5_000;
const PAGE_SIZE = 50;

export function TaskHistoryPage() {
  const filter = useSearch({ from: "/inside/settings/task-history" });
  const navigate = useNavigate({ from: "/settings/task-history" });
  const services = useQuery(servicesQuery);
  const tasks = useQuery({
    queryKey: ["tasks", filter],
    queryFn: () => {
      const { page = 1, phase, service_id } = filter;
      const query = { size: PAGE_SIZE, page, ...(phase && { phase }), ...(service_id && { service_id }) };
      return dataOf(api.GET("/v1/tasks", { params: { query } }));
    },
    refetchInterval: REFRESH_MS,
    placeholderData: keepPreviousData,
  });
  const change = (changed: Partial<TaskFilter>) =>
    void navigate({ search: (before) => ({ ...before, page: undefined, ...changed }) });
  return (
    <Stack>
      <Title order={1} size="h2">
        Task History
      </Title>
      <Group>
        <Select
          label="Service"
          placeholder="All"
          clearable
          searchable
          value={filter.service_id ?? null}
          data={(services.data?.items ?? []).map(({ service_id: value, service_name: label }) => ({ value, label }))}
          onChange={(value) => change({ service_id: value ?? undefined })}
        />
        <Select
          label="Phase"
          placeholder="All"
          clearable
          value={filter.phase ?? null}
          data={[...PHASES]}
          onChange={(value) => change({ phase: (value as TaskFilter["phase"] | null) ?? undefined })}
        />
      </Group>
      <QueryState query={tasks} empty={({ total }) => (total === 0 ? "There are no such tasks." : null)}>
        {({ items, total, pages }) => (
          <>
            <TaskTable tasks={items} />
            <Group justify="space-between">
              <Text c="dimmed" size="sm">
                {total} tasks
              </Text>
              <Pagination
                total={pages}
                value={filter.page ?? 1}
                onChange={(page) => change({ page })}
                getControlProps={(control) => ({ "aria-label": `${control} page` })}
              />
            </Group>
          </>
        )}
      </QueryState>
    </Stack>
  );
}

/** The team's tasks, newest first. What is filtered by is in the address, so that a link shows the same. */
import { Button, Group, Stack, Text } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useCallback, useState } from "react";
import { PageTitle } from "../layout/page-title.tsx";
import { QueryState } from "../layout/query-state.tsx";
import { isAtLeast } from "../session/role.ts";
import { useTeam } from "../session/use-team.ts";
import type { TaskChoice } from "./cancel-tasks.ts";
import { CancelTasksDialog } from "./cancel-tasks-dialog.tsx";
import { ExportLinks } from "./export-links.tsx";
import { isFiltered, openFilterOf, type TaskFilter } from "./task-filter.ts";
import { TaskFilters } from "./task-filters.tsx";
import { TaskRows } from "./task-rows.tsx";
import { tasksQuery } from "./tasks-query.ts";
import { useSelection } from "./use-selection.ts";

export function TaskHistoryPage() {
  const filter = useSearch({ from: "/inside/settings/task-history" });
  const navigate = useNavigate({ from: "/settings/task-history" });
  const tasks = useInfiniteQuery(tasksQuery(filter));
  const { selected, select, clear } = useSelection();
  const [choice, setChoice] = useState<TaskChoice | null>(null);
  const { hasNextPage, isFetching, fetchNextPage } = tasks;
  const readMore = useCallback(() => {
    if (hasNextPage && !isFetching) void fetchNextPage();
  }, [hasNextPage, isFetching, fetchNextPage]);
  const show = (search: TaskFilter) => {
    clear();
    void navigate({ search, replace: true });
  };
  const team = useTeam();
  const mayCancel = team !== null && isAtLeast(team.role, "member");
  const total = tasks.data?.pages[0]?.total ?? 0;
  return (
    <Stack>
      <PageTitle title="Task History">
        <ExportLinks filter={filter} total={total} />
      </PageTitle>
      <TaskFilters filter={filter} onChange={(changed) => show({ ...filter, ...changed })} onClear={() => show({})} />
      <QueryState query={tasks} empty={() => (total > 0 ? null : emptyText(filter))}>
        {({ pages }) => (
          <>
            <Group>
              <Text c="dimmed" size="sm" role="status">
                {total === 1 ? "1 task" : `${total.toLocaleString()} tasks`}
              </Text>
              {mayCancel && <CancelButtons filter={filter} selected={selected} onChoose={setChoice} />}
            </Group>
            <TaskRows
              tasks={pages.flatMap(({ items }) => items)}
              total={total}
              selected={mayCancel ? selected : null}
              onSelect={select}
              onEnd={readMore}
            />
          </>
        )}
      </QueryState>
      <CancelTasksDialog
        choice={choice}
        onClose={() => {
          setChoice(null);
          clear();
        }}
      />
    </Stack>
  );
}

interface CancelButtonsProps {
  readonly filter: TaskFilter;
  readonly selected: ReadonlySet<string>;
  readonly onChoose: (choice: TaskChoice) => void;
}

function CancelButtons({ filter, selected, onChoose }: CancelButtonsProps) {
  const open = openFilterOf(filter, Date.now());
  return (
    <>
      {selected.size > 0 && (
        <Button
          size="compact-sm"
          color="red"
          variant="light"
          onClick={() => onChoose({ kind: "selected", ids: [...selected] })}
        >
          Cancel {selected.size} Selected
        </Button>
      )}
      {open !== null && (
        <Button size="compact-sm" variant="default" onClick={() => onChoose({ kind: "matching", filter: open })}>
          Cancel All Matching
        </Button>
      )}
    </>
  );
}

function emptyText(filter: TaskFilter): string {
  return isFiltered(filter) ? "There are no such tasks." : "There are no tasks yet. Run one on the page of a service.";
}

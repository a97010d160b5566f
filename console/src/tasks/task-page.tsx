/** One task. */
import { Stack, Title } from "@mantine/core";
import { useParams } from "@tanstack/react-router";
import { TaskOutcome } from "./task-outcome.tsx";

export function TaskPage() {
  const { taskId } = useParams({ from: "/inside/tasks/$taskId" });
  return (
    <Stack>
      <Title order={1} size="h2">
        Task
      </Title>
      <TaskOutcome taskId={taskId} />
    </Stack>
  );
}

/** What became of a task: its proof, or why there is none. */
import { Alert, Badge, Code, Group, Loader, ScrollArea, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { messageOf } from "../api/problem.ts";
import { taskQuery } from "./task-query.ts";

const COLORS = { PENDING: "yellow", SUCCESS: "green", FAILURE: "red" } as const;

interface TaskOutcomeProps {
  readonly taskId: string;
  /** Default true. */
  readonly showResult?: boolean;
}

export function TaskOutcome({ taskId, showResult = true }: TaskOutcomeProps) {
  const { data: task, error } = useQuery(taskQuery(taskId));
  if (error !== null) return <Alert color="red">{messageOf(error)}</Alert>;
  if (task === undefined) return <Loader aria-label="Waiting for the proof" />;
  return (
    <Stack aria-live="polite">
      <Group>
        <Badge color={COLORS[task.state]}>{task.state}</Badge>
        <Code>{task.task_id}</Code>
      </Group>
      {task.failure !== null && (
        <Alert color="red" title={task.failure.reason}>
          {task.failure.message}
        </Alert>
      )}
      {showResult && task.result !== null && (
        <ScrollArea.Autosize mah={240} type="auto">
          <Code block style={{ overflowWrap: "anywhere", whiteSpace: "pre-wrap" }} aria-label="Result">
            {task.result}
          </Code>
        </ScrollArea.Autosize>
      )}
    </Stack>
  );
}

/** One task: what happened to it, what it was given, what came of it, and what its prover wrote. */
import { Anchor, Badge, Card, Group, Progress, Stack, Text, Title } from "@mantine/core";
import { Link, useParams } from "@tanstack/react-router";
import type { components } from "elastic-client/gen/schema.ts";
import type { ReactNode } from "react";
import { PageTitle } from "../layout/page-title.tsx";
import { QueryState } from "../layout/query-state.tsx";
import { ForRole } from "../session/for-role.tsx";
import { visibleLine } from "../text/visible-text.ts";
import { CancelTask } from "./cancel-task.tsx";
import { RunAgain } from "./run-again.tsx";
import { type Attempt, attemptsOf, type TaskHistory } from "./task-events.ts";
import { TaskFailure } from "./task-failure.tsx";
import { TaskInput } from "./task-input.tsx";
import { TaskLog } from "./task-log.tsx";
import { STATE_COLORS } from "./task-phases.ts";
import { TaskResult } from "./task-result.tsx";
import { TaskTimeline } from "./task-timeline.tsx";
import { useTask } from "./use-task.ts";

type Task = components["schemas"]["Task"];

export function TaskPage() {
  const { taskId } = useParams({ from: "/inside/tasks/$taskId" });
  return <TaskDetails key={taskId} taskId={taskId} />;
}

function TaskDetails({ taskId }: { readonly taskId: string }) {
  const { task, history } = useTask(taskId);
  return (
    <Stack>
      <PageTitle title={`Task ${taskId}`}>
        <ForRole lowest="member">
          {task.data?.state === "PENDING" && <CancelTask taskId={taskId} />}
          {task.data !== undefined && <RunAgain task={task.data} />}
        </ForRole>
      </PageTitle>
      <QueryState query={task}>{(one) => <Sections task={one} history={history} />}</QueryState>
    </Stack>
  );
}

function Sections({ task, history }: { readonly task: Task; readonly history: TaskHistory }) {
  const attempts = attemptsOf(history.events);
  return (
    <>
      <Outcome task={task} history={history} />
      {task.failure !== null && <TaskFailure failure={task.failure} serviceId={task.service_id} />}
      <Section title="Timeline">
        <TaskTimeline events={history.events} attempts={attempts} />
      </Section>
      <Section title="Input">
        <TaskInput task={task} />
      </Section>
      <Section title="Result">
        <TaskResult task={task} />
      </Section>
      <Section title="Log">{logOf(task, attempts)}</Section>
    </>
  );
}

function logOf({ task_id, attempt }: Task, attempts: readonly Attempt[]): ReactNode {
  const count = Math.max(attempt, attempts.length);
  return count === 0 ? <Text c="dimmed">No attempt was started.</Text> : <TaskLog taskId={task_id} attempts={count} />;
}

/** Where it stands, and of which service it is. */
function Outcome({ task, history: { progress } }: { readonly task: Task; readonly history: TaskHistory }) {
  return (
    <Stack gap="xs" aria-live="polite">
      <Group gap="xs">
        <Badge color={STATE_COLORS[task.state]}>{task.state}</Badge>
        <Text>{task.phase}</Text>
        <Anchor
          renderRoot={(props) => <Link to="/services/$serviceId" params={{ serviceId: task.service_id }} {...props} />}
        >
          {task.service_name}
        </Anchor>
      </Group>
      {task.waiting !== null && <Text>{task.waiting.message}</Text>}
      {task.phase === "running" && progress !== null && (
        <div>
          <Progress value={100 * progress.fraction} aria-label="Progress" />
          <Text size="sm">{visibleLine(progress.message)}</Text>
        </div>
      )}
    </Stack>
  );
}

function Section({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <Card withBorder component="section" aria-label={title}>
      <Stack gap="xs">
        <Title order={2} size="h4">
          {title}
        </Title>
        {children}
      </Stack>
    </Card>
  );
}

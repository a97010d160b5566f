/** What becomes of a task that was run on this page: live, and verified where the prover has a verifier. */
import { Anchor, Badge, Group, Loader, Progress, Stack, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { components } from "elastic-client/gen/schema.ts";
import { QueryState } from "../layout/query-state.tsx";
import { TEXT_CHARS_MAX, TextBlock } from "../layout/text-block.tsx";
import { TaskFailure } from "../tasks/task-failure.tsx";
import { STATE_COLORS } from "../tasks/task-phases.ts";
import { useTask } from "../tasks/use-task.ts";
import { visibleLine } from "../text/visible-text.ts";
import { Verification } from "./verification.tsx";

type Task = components["schemas"]["Task"];

interface RunOutcomeProps {
  readonly taskId: string;
  readonly input: string;
  /** Image of the separate verifier; null where it is unknown. */
  readonly verifier: string | null;
}

export function RunOutcome({ taskId, input, verifier }: RunOutcomeProps) {
  const { task, history } = useTask(taskId);
  return (
    <QueryState query={task}>
      {(one) => (
        <Stack aria-live="polite">
          <Group gap="xs">
            <Badge color={STATE_COLORS[one.state]}>{one.state}</Badge>
            {one.state === "PENDING" && <Loader size="xs" aria-label="Waiting for the proof" />}
            <Anchor renderRoot={(props) => <Link to="/tasks/$taskId" params={{ taskId }} {...props} />}>
              Task {taskId}
            </Anchor>
          </Group>
          {one.waiting !== null && <Text size="sm">{one.waiting.message}</Text>}
          {history.progress !== null && (
            <div>
              <Progress value={100 * history.progress.fraction} aria-label="Progress" />
              <Text size="sm">{visibleLine(history.progress.message)}</Text>
            </div>
          )}
          {one.failure !== null && <TaskFailure failure={one.failure} serviceId={one.service_id} />}
          <Result task={one} input={input} verifier={verifier} />
        </Stack>
      )}
    </QueryState>
  );
}

/** A result that is only shown in part is not verified here: what is verified is what is shown. */
function Result({ task, input, verifier }: { readonly task: Task } & Pick<RunOutcomeProps, "input" | "verifier">) {
  const { result, result_omitted } = task;
  if (result_omitted)
    return <Text>The result is not shown here: it is too large, or damaged. The task's page has it as a file.</Text>;
  if (result === null) return null;
  if (verifier === null || result.length > TEXT_CHARS_MAX) {
    return (
      <TextBlock text={result} label="Result">
        The task's page has all of it as a file.
      </TextBlock>
    );
  }
  return <Verification image={verifier} teamId={task.team_id} input={input} result={result} />;
}

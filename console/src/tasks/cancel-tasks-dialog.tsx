/** The confirmation before many tasks are cancelled, with their number. */
import { Button, Group, Loader, Modal, Stack, Text } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { MutationError } from "../layout/mutation-error.tsx";
import { cancelTasks, type TaskChoice } from "./cancel-tasks.ts";
import { countTasks } from "./tasks-query.ts";

interface CancelTasksDialogProps {
  /** Null while there is nothing to confirm. */
  readonly choice: TaskChoice | null;
  readonly onClose: () => void;
}

export function CancelTasksDialog({ choice, onClose }: CancelTasksDialogProps) {
  return (
    <Modal opened={choice !== null} onClose={onClose} title="Cancel tasks" closeButtonProps={{ "aria-label": "Close" }}>
      {choice !== null && <Question choice={choice} onClose={onClose} />}
    </Modal>
  );
}

function Question({ choice, onClose }: { readonly choice: TaskChoice; readonly onClose: () => void }) {
  const queries = useQueryClient();
  const count = useCount(choice);
  const cancellation = useMutation({
    mutationFn: () => cancelTasks(choice),
    onSettled: () => queries.invalidateQueries({ queryKey: ["tasks"] }),
  });
  if (cancellation.isSuccess) return <Outcome count={cancellation.data} onClose={onClose} />;
  if (count === undefined) return <Loader aria-label="Counting the tasks" />;
  return (
    <Stack>
      <Text>
        {count === 0
          ? "There are no open tasks to cancel."
          : `${tasksText(count)} will be cancelled. Running proofs end without a result. This cannot be undone.`}
      </Text>
      <MutationError of={cancellation} />
      <Group justify="end">
        <Button variant="default" onClick={onClose}>
          Keep Tasks
        </Button>
        <Button
          color="red"
          disabled={count === 0}
          loading={cancellation.isPending}
          onClick={() => cancellation.mutate()}
        >
          Cancel {tasksText(count)}
        </Button>
      </Group>
    </Stack>
  );
}

function Outcome({ count, onClose }: { readonly count: number; readonly onClose: () => void }) {
  return (
    <Stack>
      <Text role="status">{tasksText(count)} cancelled.</Text>
      <Group justify="end">
        <Button onClick={onClose}>Done</Button>
      </Group>
    </Stack>
  );
}

/** Undefined until it is known. */
function useCount(choice: TaskChoice): number | undefined {
  const filter = choice.kind === "matching" ? choice.filter : {};
  const { data } = useQuery({
    queryKey: ["tasks", "count", filter],
    queryFn: () => countTasks({ ...filter, state: "PENDING" }),
    enabled: choice.kind === "matching",
  });
  return choice.kind === "selected" ? choice.ids.length : data;
}

function tasksText(count: number): string {
  return count === 1 ? "1 task" : `${count.toLocaleString()} tasks`;
}

/** A new task of the same service with the same input. */
import { Button } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { components } from "elastic-client/gen/schema.ts";
import { MutationError } from "../layout/mutation-error.tsx";
import { postTask } from "../services/post-task.ts";

type Task = components["schemas"]["Task"];

/** Nothing for a task whose input is too large to be in its record, or has expired. */
export function RunAgain({ task: { service_id, input } }: { readonly task: Task }) {
  const navigate = useNavigate();
  const run = useMutation({
    mutationFn: (text: string) => postTask(service_id, text),
    onSuccess: (taskId) => navigate({ to: "/tasks/$taskId", params: { taskId } }),
  });
  if (input === null) return null;
  return (
    <>
      <MutationError of={run} />
      <Button loading={run.isPending} onClick={() => run.mutate(input)}>
        Run Again
      </Button>
    </>
  );
}

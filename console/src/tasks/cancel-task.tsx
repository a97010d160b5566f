/** Ends a task that is open. */
import { Button } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "../api/client.ts";
import { dataOf } from "../api/problem.ts";
import { MutationError } from "../layout/mutation-error.tsx";

export function CancelTask({ taskId }: { readonly taskId: string }) {
  const queries = useQueryClient();
  const cancellation = useMutation({
    mutationFn: () => dataOf(api.POST("/v1/tasks/{id}/cancel", { params: { path: { id: taskId } } })),
    onSettled: () => queries.invalidateQueries({ queryKey: ["tasks"] }),
  });
  return (
    <>
      <MutationError of={cancellation} />
      <Button color="red" variant="light" loading={cancellation.isPending} onClick={() => cancellation.mutate()}>
        Cancel Task
      </Button>
    </>
  );
}

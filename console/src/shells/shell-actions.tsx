/** Starts, stops and deletes a shell, and opens its terminal. */
import { Button, Group, Text } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { api } from "../api/client.ts";
import { dataOf } from "../api/problem.ts";
import { ConfirmButton } from "../layout/confirm-button.tsx";
import { MutationError } from "../layout/mutation-error.tsx";
import { type Shell, shellsQuery } from "./shells-query.ts";

export function ShellActions({ of: { shell_id: shellId, shell_name: name, state } }: { readonly of: Shell }) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const params = { path: { id: shellId } };
  const refresh = () => queries.invalidateQueries(shellsQuery);
  const start = useMutation({
    mutationFn: () => dataOf(api.POST("/v1/shells/{id}/start", { params })),
    onSettled: refresh,
  });
  const stop = useMutation({
    mutationFn: () => dataOf(api.POST("/v1/shells/{id}/stop", { params })),
    onSettled: refresh,
  });
  const removal = useMutation({
    mutationFn: () => dataOf(api.DELETE("/v1/shells/{id}", { params })),
    onSuccess: async () => {
      await refresh();
      await navigate({ to: "/shells" });
    },
  });
  const isRunning = state === "READY" || state === "CREATING";
  if (state === "DELETED") return null;
  return (
    <Group gap="xs">
      <MutationError of={start} />
      {state === "READY" && (
        <Button renderRoot={(props) => <Link to="/shells/$shellId/terminal" params={{ shellId }} {...props} />}>
          Terminal
        </Button>
      )}
      {isRunning ? (
        <ConfirmButton label="Stop" action={`Stop ${name}`} variant="default" mutation={stop}>
          <Text>Its sessions end and its GPU is released. Its home is retained, and nothing else.</Text>
        </ConfirmButton>
      ) : (
        <Button loading={start.isPending} onClick={() => start.mutate()}>
          Start
        </Button>
      )}
      <ConfirmButton label="Delete" action={`Delete ${name}`} color="red" variant="light" mutation={removal}>
        <Text>Its sessions end, and its home is erased. This cannot be undone.</Text>
      </ConfirmButton>
    </Group>
  );
}

/** Drains, resumes and evicts a machine. */
import { Group, Stack, Switch, Text } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../api/client.ts";
import { dataOf } from "../api/problem.ts";
import { ConfirmButton } from "../layout/confirm-button.tsx";
import type { Machine } from "./operators-query.ts";

export function MachineActions({ of: machine }: { readonly of: Machine }) {
  const { node_id: id, state, drain: order, quarantine, running_attempts: attempts, shells } = machine;
  const queries = useQueryClient();
  const [stopsShells, setStopsShells] = useState(false);
  const path = { id };
  const refresh = () => queries.invalidateQueries({ queryKey: ["nodes"] });
  const draining = useMutation({
    mutationFn: () => {
      const query = { stop_shells: stopsShells ? "true" : "false" } as const;
      return dataOf(api.POST("/v1/nodes/{id}/drain", { params: { path, query } }));
    },
    onSettled: refresh,
  });
  const resuming = useMutation({
    mutationFn: () => dataOf(api.POST("/v1/nodes/{id}/resume", { params: { path } })),
    onSettled: refresh,
  });
  const eviction = useMutation({
    mutationFn: () => dataOf(api.POST("/v1/nodes/{id}/evict", { params: { path } })),
    onSettled: refresh,
  });
  if (state === "GONE") return null;
  return (
    <Group gap="xs">
      {order === null && !quarantine ? (
        <ConfirmButton label="Drain" action={`Drain ${id}`} variant="default" mutation={draining}>
          <Stack>
            <Text>
              It is given nothing new, and services move elsewhere. Now running there: {count(attempts, "task")},{" "}
              {count(shells, "shell")}.
            </Text>
            {shells > 0 && (
              <Switch
                label="Stop the shells there too"
                description="Their homes are retained. Otherwise the drain waits for their users."
                checked={stopsShells}
                onChange={(event) => setStopsShells(event.currentTarget.checked)}
              />
            )}
          </Stack>
        </ConfirmButton>
      ) : (
        <ConfirmButton label="Resume" action={`Resume ${id}`} variant="default" mutation={resuming}>
          <Text>It takes work again.</Text>
        </ConfirmButton>
      )}
      <ConfirmButton label="Evict" action={`Evict ${id}`} color="red" variant="light" mutation={eviction}>
        <Text>
          At once: {count(attempts, "running task")} start again elsewhere, {count(shells, "shell")} fail, and its
          certificates are no longer accepted. It comes back only with a join token of its name. To let its work end
          first, drain it.
        </Text>
      </ConfirmButton>
    </Group>
  );
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

/** Makes a join token for one machine, and shows the line to paste there, once. */
import { Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { api } from "../api/client.ts";
import { madeBy } from "../api/problem.ts";
import { MutationError } from "../layout/mutation-error.tsx";
import { SecretDialog } from "../layout/secret-dialog.tsx";
import { JoinLines } from "./join-lines.tsx";

export function JoinDialog({ onClose }: { readonly onClose: () => void }) {
  const [name, setName] = useState("");
  const creation = useMutation({
    mutationFn: () => {
      const node_name = name.trim() === "" ? null : name.trim();
      return madeBy(api.POST("/v1/join-tokens", { body: { node_name } }), "token");
    },
    gcTime: 0,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    creation.mutate();
  };
  return (
    <SecretDialog
      title="Join a machine"
      opened
      onClose={onClose}
      creation={creation}
      form={
        <form onSubmit={submit}>
          <Stack>
            <Text>One machine joins the fleet with a token, once.</Text>
            <TextInput
              label="Name of the machine"
              description="Optional: its host name if left empty. An evicted machine needs its own name."
              maxLength={64}
              data-autofocus
              value={name}
              onChange={(event) => setName(event.currentTarget.value)}
            />
            <MutationError of={creation} />
            <Group justify="end">
              <Button type="submit" loading={creation.isPending}>
                Create token
              </Button>
            </Group>
          </Stack>
        </form>
      }
    >
      {(token, onDone) => <JoinLines of={token} onDone={onDone} />}
    </SecretDialog>
  );
}

/** Names a new key and what it opens; then shows it, once. */
import { Button, Group, MultiSelect, Select, Stack, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { components } from "elastic-client/gen/schema.ts";
import { type FormEvent, useState } from "react";
import { api } from "../api/client.ts";
import { madeBy } from "../api/problem.ts";
import { MutationError } from "../layout/mutation-error.tsx";
import { SecretDialog } from "../layout/secret-dialog.tsx";
import { SecretOnce } from "../layout/secret-once.tsx";
import { keysQuery } from "./keys-query.ts";

type Scope = components["schemas"]["Scope"];

const SCOPES: readonly Scope[] = ["tasks:read", "tasks:write", "services", "keys", "shells"];
const DAY_SECONDS = 86_400;
const EXPIRIES = [
  { value: String(30 * DAY_SECONDS), label: "in 30 days" },
  { value: String(90 * DAY_SECONDS), label: "in 90 days" },
  { value: String(365 * DAY_SECONDS), label: "in a year" },
  { value: "never", label: "never" },
];

interface CreateKeyDialogProps {
  readonly opened: boolean;
  readonly onClose: () => void;
}

export function CreateKeyDialog({ opened, onClose }: CreateKeyDialogProps) {
  const queries = useQueryClient();
  const [name, setName] = useState("");
  const [scopes, setScopes] = useState<readonly Scope[]>(["tasks:read", "tasks:write"]);
  const [expiry, setExpiry] = useState(String(90 * DAY_SECONDS));
  const creation = useMutation({
    mutationFn: () => {
      const expires_in_seconds = expiry === "never" ? null : Number(expiry);
      return madeBy(api.POST("/v1/keys", { body: { name, scopes: [...scopes], expires_in_seconds } }), "key");
    },
    onSuccess: () => queries.invalidateQueries(keysQuery),
    gcTime: 0,
  });
  const close = () => {
    setName("");
    onClose();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    creation.mutate();
  };
  return (
    <SecretDialog
      title="Create an access key"
      opened={opened}
      onClose={close}
      creation={creation}
      form={
        <form onSubmit={submit}>
          <Stack>
            <TextInput
              label="Name"
              required
              maxLength={100}
              data-autofocus
              value={name}
              onChange={(event) => setName(event.currentTarget.value)}
            />
            <MultiSelect
              label="Scopes"
              required
              data={[...SCOPES]}
              value={[...scopes]}
              onChange={(value) => setScopes(value as Scope[])}
            />
            <Select
              label="Expires"
              data={EXPIRIES}
              value={expiry}
              allowDeselect={false}
              onChange={(value) => setExpiry(value ?? "never")}
            />
            <MutationError of={creation} />
            <Group justify="end">
              <Button type="submit" loading={creation.isPending} disabled={scopes.length === 0}>
                Create
              </Button>
            </Group>
          </Stack>
        </form>
      }
    >
      {({ key }, onDone) => (
        <SecretOnce secret={key} label="access key" onDone={onDone}>
          Programs send it in the header x-api-key.
        </SecretOnce>
      )}
    </SecretDialog>
  );
}

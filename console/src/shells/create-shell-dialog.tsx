/** The form of a new shell, by type of GPU; it leads to the shell. */
import { Button, Group, Modal, Stack, TextInput } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { api } from "../api/client.ts";
import { dataOf } from "../api/problem.ts";
import { MutationError } from "../layout/mutation-error.tsx";
import { GpuFields } from "./gpu-fields.tsx";
import { MoreFields } from "./more-fields.tsx";
import { EMPTY_FORM, newShellRequest, type ShellForm } from "./shell-form.ts";
import { shellOfferQuery, shellsQuery } from "./shells-query.ts";

interface CreateShellDialogProps {
  readonly opened: boolean;
  readonly onClose: () => void;
}

export function CreateShellDialog({ opened, onClose }: CreateShellDialogProps) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const offer = useQuery(shellOfferQuery);
  const [form, setForm] = useState(EMPTY_FORM);
  const set = (change: Partial<ShellForm>) => setForm((before) => ({ ...before, ...change }));
  const creation = useMutation({
    mutationFn: () => dataOf(api.POST("/v1/shells", { body: newShellRequest(form) })),
    onSuccess: async ({ shell_id: shellId }) => {
      setForm(EMPTY_FORM);
      onClose();
      await queries.invalidateQueries(shellsQuery);
      await navigate({ to: "/shells/$shellId", params: { shellId } });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    creation.mutate();
  };
  return (
    <Modal opened={opened} onClose={onClose} title="Create a shell" closeButtonProps={{ "aria-label": "Close" }}>
      <form onSubmit={submit}>
        <Stack>
          <GpuFields form={form} set={set} />
          <TextInput
            label="Name"
            description="Optional: letters, digits, dots, dashes and underscores."
            maxLength={63}
            value={form.name}
            onChange={(event) => set({ name: event.currentTarget.value })}
          />
          <MoreFields form={form} set={set} offer={offer.data ?? { images: [], egress: [] }} />
          <MutationError of={creation} />
          <Group justify="end">
            <Button type="submit" loading={creation.isPending}>
              Create
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

/** A webhook's name and where it is: of a new one, and of one that is changed. */
import { Button, Group, Stack, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { MutationError } from "../layout/mutation-error.tsx";

export interface WebhookSettings {
  readonly name: string;
  readonly url: string;
}

interface WebhookFormProps {
  readonly initial: WebhookSettings;
  readonly onSubmit: (settings: WebhookSettings) => void;
  readonly submission: { readonly error: unknown; readonly isPending: boolean };
}

export function WebhookForm({ initial, onSubmit, submission }: WebhookFormProps) {
  const [settings, setSettings] = useState(initial);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit(settings);
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <TextInput
          label="Name"
          required
          maxLength={100}
          data-autofocus
          value={settings.name}
          onChange={(event) => setSettings({ ...settings, name: event.currentTarget.value })}
        />
        <TextInput
          label="URL"
          description="https, and reachable from outside"
          required
          type="url"
          value={settings.url}
          onChange={(event) => setSettings({ ...settings, url: event.currentTarget.value })}
        />
        <MutationError of={submission} />
        <Group justify="end">
          <Button type="submit" loading={submission.isPending}>
            Save
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

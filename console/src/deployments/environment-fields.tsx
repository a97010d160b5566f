/** Environment variables. Their values are write-only: those of an earlier deployment stay unless they are replaced. */
import { Button, Group, PasswordInput, Stack, Text, TextInput } from "@mantine/core";
import type { EnvVariable } from "./deployment-draft.ts";

interface EnvironmentFieldsProps {
  readonly env: readonly EnvVariable[];
  readonly onChange: (env: readonly EnvVariable[]) => void;
  readonly errors: Readonly<Record<string, string>>;
}

const NEW: EnvVariable = { name: "", value: "", isEarlier: false };

export function EnvironmentFields({ env, onChange, errors }: EnvironmentFieldsProps) {
  const change = (at: number, changed: Partial<EnvVariable>) =>
    onChange(env.map((one, index) => (index === at ? { ...one, ...changed } : one)));
  return (
    <Stack>
      <Text size="sm" c="dimmed">
        Values are stored encrypted and are never shown again. A value that is left empty stays as it is.
      </Text>
      {env.map(({ name, value, isEarlier }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a variable has no other name until it is typed.
        <Group key={index} align="end" gap="xs">
          <TextInput
            label={`Name of variable ${index + 1}`}
            required
            readOnly={isEarlier}
            ff="monospace"
            value={name}
            onChange={(event) => change(index, { name: event.currentTarget.value })}
            error={errors[`#/env/${name}`]}
          />
          <PasswordInput
            label={`Value of variable ${index + 1}`}
            placeholder={isEarlier ? "unchanged" : ""}
            autoComplete="off"
            w={220}
            visibilityToggleButtonProps={{ "aria-label": `Show value ${index + 1}` }}
            value={value}
            onChange={(event) => change(index, { value: event.currentTarget.value })}
          />
          <Button
            variant="default"
            aria-label={`Remove variable ${index + 1}`}
            onClick={() => onChange(env.filter((_, at) => at !== index))}
          >
            Remove
          </Button>
        </Group>
      ))}
      {errors["#/env"] !== undefined && <Text c="red">{errors["#/env"]}</Text>}
      <Group>
        <Button variant="default" onClick={() => onChange([...env, NEW])}>
          Add Variable
        </Button>
      </Group>
    </Stack>
  );
}

/** A time in the reader's time zone; while it is typed a browser shows it as empty, so it counts when the field is left. */
import { TextInput } from "@mantine/core";
import { fromLocalTime, toLocalTime } from "../text/local-time.ts";

interface TimeFieldProps {
  readonly label: string;
  /** As the service has it, in UTC. */
  readonly value: string | undefined;
  readonly onChange: (value: string | undefined) => void;
}

export function TimeField({ label, value, onChange }: TimeFieldProps) {
  return (
    <TextInput
      key={value}
      type="datetime-local"
      step={1}
      label={label}
      w={220}
      defaultValue={value === undefined ? "" : toLocalTime(value)}
      onBlur={(event) => {
        const chosen = fromLocalTime(event.currentTarget.value);
        if (chosen !== value) onChange(chosen);
      }}
    />
  );
}

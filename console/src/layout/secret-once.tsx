/** A secret that the service shows when it is created and never again. */
import { Alert, Button, Group, Stack } from "@mantine/core";
import type { ReactNode } from "react";
import { CopyField } from "./copy-field.tsx";

interface SecretOnceProps {
  readonly secret: string;
  /** What it is, such as `access key`. */
  readonly label: string;
  readonly onDone: () => void;
  /** What it is for. */
  readonly children: ReactNode;
  /** Another form of it, shown below. */
  readonly also?: ReactNode;
}

export function SecretOnce({ secret, label, onDone, children, also }: SecretOnceProps) {
  return (
    <Stack>
      <Alert color="yellow" title={`Copy the ${label} now`}>
        It is shown here once and cannot be shown again. {children}
      </Alert>
      <CopyField text={secret} label={label} />
      {also}
      <Group justify="end">
        <Button onClick={onDone}>Done</Button>
      </Group>
    </Stack>
  );
}

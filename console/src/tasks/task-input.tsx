/** What a task was given, byte for byte. */
import { Button, CopyButton, Group, Text } from "@mantine/core";
import type { components } from "elastic-client/gen/schema.ts";
import { TextBlock } from "../layout/text-block.tsx";

type Task = components["schemas"]["Task"];

export function TaskInput({ task: { input, input_bytes } }: { readonly task: Task }) {
  const size = `${input_bytes.toLocaleString()} bytes`;
  if (input === null) return <Text c="dimmed">The input, {size}, is not shown: it is too large, or has expired.</Text>;
  return (
    <>
      <TextBlock text={input} label="Input" />
      <Group gap="xs">
        <CopyButton value={input}>
          {({ copied, copy }) => (
            <Button size="compact-sm" variant="default" onClick={copy}>
              {copied ? "Copied" : "Copy Input"}
            </Button>
          )}
        </CopyButton>
        <Text size="sm" c="dimmed">
          {size}
        </Text>
      </Group>
    </>
  );
}

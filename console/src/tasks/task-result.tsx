/** The result of a task: shown while it is short, and always as a file. */
import { Button, CopyButton, Group, Stack, Text } from "@mantine/core";
import type { components } from "elastic-client/gen/schema.ts";
import { CopyField } from "../layout/copy-field.tsx";
import { TextBlock } from "../layout/text-block.tsx";
import { Time } from "../layout/time.tsx";

type Task = components["schemas"]["Task"];

export function TaskResult({ task }: { readonly task: Task }) {
  const { task_id, state, result, result_bytes, result_url, result_omitted, result_expired, expires_at } = task;
  if (state === "PENDING") return <Text c="dimmed">There is no result yet.</Text>;
  if (state === "FAILURE") return <Text c="dimmed">The task ended without a result.</Text>;
  if (result_expired || result_url === null) {
    return (
      <Text c="dimmed">
        The result was removed when its retention ended. The service's settings say how long that is.
      </Text>
    );
  }
  return (
    <Stack gap="xs">
      {result_omitted && (
        <Text>The result is not shown here: it is too large, or damaged. Download it, or use the link.</Text>
      )}
      {result !== null && <TextBlock text={result} label="Result" />}
      <Group gap="xs">
        <Button size="compact-sm" component="a" href={`/v1/tasks/${task_id}/result`} download={`${task_id}.txt`}>
          Download Result
        </Button>
        {result !== null && (
          <CopyButton value={result}>
            {({ copied, copy }) => (
              <Button size="compact-sm" variant="default" onClick={copy}>
                {copied ? "Copied" : "Copy Result"}
              </Button>
            )}
          </CopyButton>
        )}
        <Text size="sm" c="dimmed">
          {(result_bytes ?? 0).toLocaleString()} bytes
          {expires_at !== null && (
            <>
              , retained until <Time of={expires_at} />
            </>
          )}
        </Text>
      </Group>
      <Text size="sm">This link opens without a key for a day:</Text>
      <CopyField text={result_url} label="link to the result" />
    </Stack>
  );
}

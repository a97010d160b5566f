/** What the prover wrote during an attempt, as text, a part at a time. */
import { Button, Group, Loader, Select, Stack, Text } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { messageOf } from "../api/problem.ts";
import { TEXT_CHARS_MAX, TextBlock } from "../layout/text-block.tsx";
import { logPath, readLogPart } from "./read-log.ts";

interface TaskLogProps {
  readonly taskId: string;
  /** How many there were so far. */
  readonly attempts: number;
}

export function TaskLog({ taskId, attempts }: TaskLogProps) {
  const [chosen, setChosen] = useState<number | null>(null);
  const attempt = chosen ?? attempts;
  return (
    <Stack gap="xs">
      {attempts > 1 && (
        <Select
          label="Attempt"
          w={120}
          allowDeselect={false}
          value={String(attempt)}
          data={Array.from({ length: attempts }, (_, index) => String(index + 1))}
          onChange={(value) => setChosen(Number(value))}
        />
      )}
      <AttemptLog key={attempt} path={logPath(taskId, attempt)} />
    </Stack>
  );
}

function AttemptLog({ path }: { readonly path: string }) {
  const log = useInfiniteQuery({
    queryKey: ["logs", path],
    queryFn: ({ pageParam, signal }) => readLogPart(path, pageParam, TEXT_CHARS_MAX, signal),
    initialPageParam: 0,
    getNextPageParam: ({ next }) => next,
  });
  if (log.isError) return <Text c="red">{messageOf(log.error)}</Text>;
  if (log.data === undefined) return <Loader aria-label="Reading the log" size="sm" />;
  const parts = log.data.pages.filter(({ text }) => text !== "");
  return (
    <Stack gap="xs">
      {parts.length === 0 && <Text c="dimmed">The prover has written nothing.</Text>}
      {parts.map(({ text, from }) => (
        <TextBlock key={from} text={text} label={`Log from byte ${from}`} />
      ))}
      <Group gap="xs">
        {log.hasNextPage && (
          <Button variant="default" size="compact-sm" loading={log.isFetching} onClick={() => void log.fetchNextPage()}>
            Show More
          </Button>
        )}
        <Button variant="default" size="compact-sm" loading={log.isFetching} onClick={() => void log.refetch()}>
          Refresh
        </Button>
        <Button variant="default" size="compact-sm" component="a" href={path} download="log.txt">
          Download Log
        </Button>
      </Group>
    </Stack>
  );
}

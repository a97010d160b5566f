/** What was read, or that it is being read, failed, is empty, or may no longer be read. */
import { Alert, Button, Loader, Stack, Text } from "@mantine/core";
import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { ApiError, messageOf } from "../api/problem.ts";

/** What they refuse is gone, or no longer the user's: what was read before is not shown. */
const REFUSALS: readonly number[] = [401, 403, 404];

interface QueryStateProps<T> {
  readonly query: UseQueryResult<T>;
  /** What to say where there is nothing to show. */
  readonly empty?: (data: T) => string | null;
  readonly children: (data: T) => ReactNode;
}

export function QueryState<T>({ query, empty, children }: QueryStateProps<T>) {
  const { data, error, refetch } = query;
  if (data === undefined || (error instanceof ApiError && REFUSALS.includes(error.status))) {
    if (error === null) return <Loader aria-label="Loading" />;
    return (
      <Alert color="red" title="This could not be read" role="alert">
        <Stack align="start">
          {messageOf(error)}
          <Button size="compact-sm" onClick={() => void refetch()}>
            Try again
          </Button>
        </Stack>
      </Alert>
    );
  }
  const nothing = empty?.(data) ?? null;
  return nothing === null ? children(data) : <Text c="dimmed">{nothing}</Text>;
}

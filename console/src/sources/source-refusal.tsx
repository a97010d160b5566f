/** What a source host refused, with a button that authorizes again where that is all it takes. */
import { Alert, Button, Stack, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { ApiError, messageOf } from "../api/problem.ts";
import { MutationError } from "../layout/mutation-error.tsx";
import { leaveForHost } from "./leave-for-host.ts";
import type { SourceConnection } from "./sources-query.ts";

interface SourceRefusalProps {
  readonly error: Error | null;
  /** With which it was tried. */
  readonly connection: SourceConnection | undefined;
  readonly returnTo: string;
}

export function SourceRefusal({ error, connection, returnTo }: SourceRefusalProps) {
  const leave = useMutation({
    mutationFn: ({ host, connection_id: connectionId }: SourceConnection) =>
      leaveForHost({ host, returnTo, connectionId }),
  });
  if (error === null) return null;
  const isOld = error instanceof ApiError && error.code === "source_authorization_needed";
  return (
    <Alert color="red" role="alert">
      <Stack gap="xs" align="start">
        <Text size="sm">{messageOf(error)}</Text>
        {isOld && connection !== undefined && (
          <Button size="compact-sm" loading={leave.isPending} onClick={() => leave.mutate(connection)}>
            Authorize Again
          </Button>
        )}
        <MutationError of={leave} />
      </Stack>
    </Alert>
  );
}

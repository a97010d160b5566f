/** The state of a shell, and in words what it waits for or why it ended. */
import { Alert, Badge, Text } from "@mantine/core";
import type { Shell } from "./shells-query.ts";

const COLORS: Readonly<Record<Shell["state"], string>> = {
  CREATING: "blue",
  READY: "green",
  STOPPED: "gray",
  FAILED: "red",
  DELETED: "gray",
};

const STOPPED_BY: Readonly<Record<NonNullable<Shell["stopped_by"]>, string>> = {
  user: "Stopped by a user. Its home is retained.",
  expired: "Stopped at the end of its longest life. Its home is retained.",
  idle: "Stopped because nobody used it. Its home is retained.",
  drain: "Stopped because an operator drains its machine. Its home is retained.",
};

export function ShellState({ of: { state } }: { readonly of: Pick<Shell, "state"> }) {
  return (
    <Badge color={COLORS[state]} role="status" tt="none">
      {state}
    </Badge>
  );
}

/** Nothing for a shell that is ready and stays so. */
export function ShellReason({ of: shell }: { readonly of: Shell }) {
  if (shell.failure !== null) {
    return (
      <Alert color="red" title="The shell could not be started">
        {shell.failure.message}
      </Alert>
    );
  }
  if (shell.notice !== null) return <Alert color="yellow">{shell.notice}</Alert>;
  if (shell.waiting_for !== null) return <Text>Waiting for {shell.waiting_for}</Text>;
  if (shell.stopped_by !== null) return <Text>{STOPPED_BY[shell.stopped_by]}</Text>;
  return null;
}

/** Why a task failed, the end of its log, and what to do. */
import { Alert, Anchor, Code, Stack, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { components } from "elastic-client/gen/schema.ts";
import { TextBlock } from "../layout/text-block.tsx";
import { failureAdvice } from "./failure-advice.ts";

type Failure = NonNullable<components["schemas"]["Task"]["failure"]>;

interface TaskFailureProps {
  readonly failure: Failure;
  readonly serviceId: string;
}

export function TaskFailure({ failure, serviceId }: TaskFailureProps) {
  const { title, ofTask, next } = failureAdvice(failure.reason);
  const { reason, message, exit_code, log_tail } = failure;
  return (
    <Alert color={reason === "cancelled" ? "gray" : "red"} title={title}>
      <Stack gap="xs">
        <Text size="sm">
          Reason <Code>{reason}</Code>
          {exit_code !== null && `, exit code ${exit_code}`}
        </Text>
        <TextBlock text={message} label="Message" />
        {log_tail !== "" && <TextBlock text={log_tail} label="End of the log" />}
        <Text fw={600}>What to do</Text>
        <Text>{ofTask}</Text>
        {next === "change settings" && (
          <Anchor renderRoot={(props) => <Link to="/services/$serviceId/settings" params={{ serviceId }} {...props} />}>
            Change the service's settings
          </Anchor>
        )}
      </Stack>
    </Alert>
  );
}

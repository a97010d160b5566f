/** Why a build failed, where, and what can be done about it. */
import { Alert, Code, Stack, Text } from "@mantine/core";
import { TextBlock } from "../layout/text-block.tsx";
import { buildAdvice } from "./build-advice.ts";
import type { Build } from "./builds-query.ts";

interface BuildFailureProps {
  readonly of: NonNullable<Build["failure"]>;
  readonly buildFile: string;
}

export function BuildFailure({ of: { reason, message, line }, buildFile }: BuildFailureProps) {
  return (
    <Alert color="red" title={line === null ? "The build failed" : `The build failed at line ${line} of ${buildFile}`}>
      <Stack gap="xs">
        <Text size="sm">
          Reason <Code>{reason}</Code>
        </Text>
        <TextBlock text={message} label="Message" />
        <Text fw={600}>What to do</Text>
        <Text>{buildAdvice(reason)}</Text>
      </Stack>
    </Alert>
  );
}

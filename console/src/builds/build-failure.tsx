/** Why a build failed, where, and what can be done about it. */
import { Alert, Anchor, Code, Stack, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { TextBlock } from "../layout/text-block.tsx";
import { buildAdvice, isOfSource } from "./build-advice.ts";
import type { Build } from "./builds-query.ts";

interface BuildFailureProps {
  readonly of: NonNullable<Build["failure"]>;
  readonly build: Build;
}

export function BuildFailure({ of: { reason, message, line }, build }: BuildFailureProps) {
  const { build_file: buildFile, service_id: serviceId } = build;
  const advice = buildAdvice(reason, build);
  return (
    <Alert color="red" title={line === null ? "The build failed" : `The build failed at line ${line} of ${buildFile}`}>
      <Stack gap="xs">
        <Text size="sm">
          Reason <Code>{reason}</Code>
        </Text>
        <TextBlock text={message} label="Message" />
        {advice !== null && (
          <>
            <Text fw={600}>What to do</Text>
            <Text>{advice}</Text>
          </>
        )}
        {isOfSource(reason, build) && (
          <Anchor
            c="inherit"
            underline="always"
            renderRoot={(props) => <Link to="/services/$serviceId/source" params={{ serviceId }} {...props} />}
          >
            Source of the service
          </Anchor>
        )}
      </Stack>
    </Alert>
  );
}

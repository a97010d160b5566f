/** Why a deployment did not come up, the end of its log, and what to do. */
import { Alert, Code, Stack, Text } from "@mantine/core";
import type { components } from "elastic-client/gen/schema.ts";
import { TextBlock } from "../layout/text-block.tsx";
import { failureAdvice } from "../tasks/failure-advice.ts";

type Failure = NonNullable<components["schemas"]["Deployment"]["failure"]>;

const STAGES: Readonly<Record<Failure["stage"], string>> = {
  placing: "finding a machine",
  pulling: "pulling the image",
  fetching: "fetching the data volume",
  starting: "starting the prover",
  checking: "waiting for the prover to be healthy",
  proving: "proving an earlier input",
};

export function DeploymentFailure({ failure }: { readonly failure: Failure }) {
  const { stage, reason, message, exit_code, log_tail } = failure;
  return (
    <Alert color="red" title={`The deployment failed while ${STAGES[stage]}`}>
      <Stack gap="xs">
        <Text size="sm">
          Reason <Code>{reason}</Code>
          {exit_code !== null && `, exit code ${exit_code}`}
        </Text>
        <TextBlock text={message} label="Message" />
        {log_tail !== "" && <TextBlock text={log_tail} label="End of the log" />}
        <Text fw={600}>What to do</Text>
        <Text>{failureAdvice(reason).ofDeployment}</Text>
      </Stack>
    </Alert>
  );
}

/** Posts a task with an input that is typed here, and follows it to its result. */
import { Alert, Button, Card, Group, JsonInput, Stack, Text } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import type { components } from "elastic-cli/api/gen/schema.ts";
import { type FormEvent, useState } from "react";
import { messageOf } from "../api/problem.ts";
import { TaskOutcome } from "../tasks/task-outcome.tsx";
import { taskQuery } from "../tasks/task-query.ts";
import { DEMO_IMAGE, DEMO_INPUT } from "./demo-prover.ts";
import { postTask } from "./post-task.ts";
import { Verification } from "./verification.tsx";
import { verifierOf } from "./verify-proof.ts";

type Service = components["schemas"]["Service"];

export function Playground({ service }: { readonly service: Service }) {
  const [input, setInput] = useState(service.image === DEMO_IMAGE ? DEMO_INPUT : "{}");
  const verifier = verifierOf(service.image);
  const run = useMutation({ mutationFn: async () => ({ taskId: await postTask(service.service_id, input), input }) });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    run.mutate();
  };
  return (
    <Card withBorder>
      <form onSubmit={submit}>
        <Stack>
          <Text fw={600}>Playground</Text>
          <JsonInput
            label="Input"
            autosize
            minRows={4}
            maxRows={20}
            value={input}
            onChange={setInput}
            validationError="This is not JSON."
          />
          <Group>
            <Button type="submit" loading={run.isPending}>
              Run
            </Button>
          </Group>
          {run.isError && (
            <Alert color="red" role="alert">
              {messageOf(run.error)}
            </Alert>
          )}
          {run.data !== undefined && <TaskOutcome taskId={run.data.taskId} showResult={verifier === null} />}
          {verifier !== null && run.data !== undefined && <Proof of={run.data} verifier={verifier} />}
        </Stack>
      </form>
    </Card>
  );
}

interface ProofProps {
  readonly of: { readonly taskId: string; readonly input: string };
  /** Image of the separate verifier. */
  readonly verifier: string;
}

function Proof({ of: { taskId, input }, verifier }: ProofProps) {
  const { data: task } = useQuery(taskQuery(taskId));
  const result = task?.result ?? null;
  return result === null ? null : <Verification image={verifier} input={input} result={result} />;
}

/** Posts a task with an input that is typed here, and follows it to its result. */
import { Alert, Button, Card, Group, JsonInput, Select, Stack, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import type { components } from "elastic-client/gen/schema.ts";
import { type FormEvent, useState } from "react";
import { messageOf } from "../api/problem.ts";
import { postTask } from "../services/post-task.ts";
import { verifierOf } from "../services/verify-proof.ts";
import { visibleLine } from "../text/visible-text.ts";
import { recentInputs, rememberInput } from "./recent-inputs.ts";
import { rememberedVerifier, rememberVerifier } from "./remembered-verifier.ts";
import { RunOutcome } from "./run-outcome.tsx";
import { VerifierSelect } from "./verifier-select.tsx";

type Service = components["schemas"]["Service"];

/** Of an input in a list. */
const LABEL_CHARS_MAX = 80;

interface PlaygroundProps {
  readonly service: Service;
  readonly input: string;
  readonly onInput: (input: string) => void;
}

export function Playground({ service, input, onInput }: PlaygroundProps) {
  const { service_id: id } = service;
  const known = verifierOf(service.image);
  const [chosen, setChosen] = useState(() => rememberedVerifier(id, localStorage));
  const choose = (image: string | null) => {
    rememberVerifier(id, image, localStorage);
    setChosen(image);
  };
  const run = useMutation({
    mutationFn: async () => {
      rememberInput(id, input, localStorage);
      return { taskId: await postTask(id, input), input };
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    run.mutate();
  };
  return (
    <Card withBorder component="section" aria-label="Playground">
      <Stack>
        <Text fw={600}>Playground</Text>
        <form onSubmit={submit}>
          <Stack>
            <RecentInputs serviceId={id} onChoose={onInput} />
            <JsonInput
              label="Input"
              autosize
              minRows={4}
              maxRows={20}
              value={input}
              onChange={onInput}
              validationError="This is not JSON."
              spellCheck={false}
            />
            {known === null && !isVerifier(service) && <VerifierSelect image={chosen} onChange={choose} />}
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
          </Stack>
        </form>
        {run.data !== undefined && (
          <RunOutcome
            key={run.data.taskId}
            taskId={run.data.taskId}
            input={run.data.input}
            verifier={known ?? chosen}
          />
        )}
      </Stack>
    </Card>
  );
}

function isVerifier({ image }: Service): boolean {
  return image?.endsWith("-verify") ?? false;
}

interface RecentInputsProps {
  readonly serviceId: string;
  readonly onChoose: (input: string) => void;
}

function RecentInputs({ serviceId, onChoose }: RecentInputsProps) {
  const inputs = recentInputs(serviceId, localStorage);
  if (inputs.length === 0) return null;
  return (
    <Select
      label="Last inputs"
      placeholder="Choose one to run it again"
      value={null}
      data={inputs.map((input, index) => ({
        value: String(index),
        label: visibleLine(input.slice(0, LABEL_CHARS_MAX)),
      }))}
      onChange={(index) => onChoose(inputs[Number(index)] ?? "")}
    />
  );
}

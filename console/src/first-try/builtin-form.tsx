/** For an installation without source hosts: the demo prover that is part of the service. */
import { Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { MutationError } from "../layout/mutation-error.tsx";
import { DEMO_IMAGE, DEMO_NAME, VERIFIER_TEXT } from "../services/demo-prover.ts";
import { deployDemo } from "./deploy-demo.ts";
import { nameProblem } from "./name-problem.ts";
import { useFirstTry } from "./use-first-try.ts";

export function BuiltinForm() {
  const [name, setName] = useState(DEMO_NAME);
  const problem = nameProblem(name);
  const deployment = useFirstTry(deployDemo);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (problem === null) deployment.mutate(name);
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text>
          It proves knowledge of integers with a given Poseidon hash. It is part of the service, so nothing is built:
          the image is <code>{DEMO_IMAGE}</code>. {VERIFIER_TEXT}
        </Text>
        <TextInput
          label="Name"
          required
          maxLength={63}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          error={problem}
        />
        <MutationError of={deployment} />
        <Group justify="end">
          <Button type="submit" data-autofocus loading={deployment.isPending}>
            Deploy
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

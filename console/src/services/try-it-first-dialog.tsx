/** Deploys the demo prover with values that a first user need not change. */
import { Alert, Button, Group, Modal, Stack, Text, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { messageOf } from "../api/problem.ts";
import { activeTeam } from "../session/active-team.ts";
import { DEMO_IMAGE, DEMO_VERIFIER_IMAGE } from "./demo-prover.ts";
import { deployBuiltin } from "./deploy-builtin.ts";
import { servicesQuery } from "./services-query.ts";
import { findVerifier } from "./verify-proof.ts";

interface TryItFirstDialogProps {
  readonly opened: boolean;
  readonly onClose: () => void;
}

export function TryItFirstDialog({ opened, onClose }: TryItFirstDialogProps) {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const teamId = activeTeam() ?? "";
  const [name, setName] = useState("poseidon-demo");
  const deployment = useMutation({
    mutationFn: async () => {
      const serviceId = await deployBuiltin(name, DEMO_IMAGE, teamId);
      // Proofs are verified on the service's page: the verifier starts meanwhile.
      findVerifier(DEMO_VERIFIER_IMAGE, teamId).catch(() => undefined);
      return serviceId;
    },
    onSuccess: async (serviceId) => {
      await queries.invalidateQueries(servicesQuery);
      await navigate({ to: "/services/$serviceId", params: { serviceId } });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    deployment.mutate();
  };
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title="Deploy the demo prover"
      closeButtonProps={{ "aria-label": "Close" }}
    >
      <form onSubmit={submit}>
        <Stack>
          <Text>
            It proves knowledge of integers with a given Poseidon hash. It is part of the service, so nothing is built:
            the image is <code>{DEMO_IMAGE}</code>.
          </Text>
          <TextInput
            label="Name"
            required
            maxLength={100}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          {deployment.isError && (
            <Alert color="red" role="alert">
              {messageOf(deployment.error)}
            </Alert>
          )}
          <Group justify="end">
            <Button type="submit" data-autofocus loading={deployment.isPending}>
              Deploy
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

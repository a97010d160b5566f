/** Builds the service's repository now, and deploys what comes of it. */
import { Button, Group, Stack, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { MutationError } from "../layout/mutation-error.tsx";
import { startBuild } from "./start-build.ts";

interface BuildAndDeployProps {
  readonly serviceId: string;
  /** Whether another branch, tag or commit may be named. */
  readonly hasRef?: boolean;
}

export function BuildAndDeploy({ serviceId, hasRef = false }: BuildAndDeployProps) {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [ref, setRef] = useState("");
  const build = useMutation({
    mutationFn: () => startBuild(serviceId, ref.trim()),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ["services", serviceId, "builds"] });
      await navigate({ to: "/services/$serviceId", params: { serviceId } });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    build.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="xs">
        <Group align="end">
          {hasRef && (
            <TextInput
              label="Branch, tag or commit"
              placeholder="the newest of the branch"
              maxLength={250}
              value={ref}
              onChange={(event) => setRef(event.currentTarget.value)}
            />
          )}
          <Button type="submit" loading={build.isPending}>
            Build and Deploy
          </Button>
        </Group>
        <MutationError of={build} />
      </Stack>
    </form>
  );
}

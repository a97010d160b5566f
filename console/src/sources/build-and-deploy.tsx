/** Builds the service's repository now, and deploys what comes of it. */
import { Button, Group, Stack, TextInput } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { ApiError } from "../api/problem.ts";
import { MutationError } from "../layout/mutation-error.tsx";
import { sourceQuery } from "./sources-query.ts";
import { startBuild } from "./start-build.ts";

/** Where the API names the ref. */
const REF = "#/source/repository/ref";

interface BuildAndDeployProps {
  readonly serviceId: string;
  /** Whether another branch, tag or commit may be named. */
  readonly hasRef?: boolean;
}

export function BuildAndDeploy({ serviceId, hasRef = false }: BuildAndDeployProps) {
  const { data: source } = useQuery(sourceQuery(serviceId));
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
  // Whoever shows the source says what is to be done.
  if (!source?.connected) return null;
  const refError = hasRef && build.error instanceof ApiError ? build.error.fields[REF] : undefined;
  return (
    <form onSubmit={submit}>
      <Stack gap="xs">
        <Group align={refError === undefined ? "end" : "center"}>
          {hasRef && (
            <TextInput
              label="Branch, tag or commit"
              placeholder="the newest of the branch"
              maxLength={250}
              value={ref}
              onChange={(event) => setRef(event.currentTarget.value)}
              error={refError}
            />
          )}
          <Button type="submit" loading={build.isPending}>
            Build and Deploy
          </Button>
        </Group>
        {refError === undefined && <MutationError of={build} />}
      </Stack>
    </form>
  );
}

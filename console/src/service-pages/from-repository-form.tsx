/** A new service that is built from a repository, and its first build. */
import { Button, Fieldset, Group, Stack } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { api } from "../api/client.ts";
import { ApiError, dataOf } from "../api/problem.ts";
import { QueryState } from "../layout/query-state.tsx";
import { servicesQuery } from "../services/services-query.ts";
import { beginSource, type SourceDraft, type SourceRequest, sourceRequestOf } from "../sources/source-draft.ts";
import { SourceFields } from "../sources/source-fields.tsx";
import { connectionsQuery } from "../sources/sources-query.ts";
import { startBuild } from "../sources/start-build.ts";
import type { NewServiceProps } from "./from-image-form.tsx";

interface FromRepositoryFormProps extends NewServiceProps {
  /** That was just connected. */
  readonly connectionId: string | null;
}

export function FromRepositoryForm(props: FromRepositoryFormProps) {
  const connections = useQuery(connectionsQuery);
  return (
    <QueryState query={connections}>
      {({ items }) => <LoadedForm initial={beginSource(null, items, props.connectionId)} {...props} />}
    </QueryState>
  );
}

type LoadedProps = FromRepositoryFormProps & { readonly initial: SourceDraft };

function LoadedForm({ initial, makeService, unmakeService, fieldsOf }: LoadedProps) {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [draft, setDraft] = useState(initial);
  const request = sourceRequestOf(draft);
  const creation = useMutation({
    mutationFn: async (body: SourceRequest) => {
      const id = await makeService();
      await dataOf(api.PUT("/v1/services/{id}/source", { params: { path: { id } }, body })).catch(
        async (error: unknown) => {
          // An empty service would be all that is left of what was refused.
          if (error instanceof ApiError) await unmakeService();
          throw error;
        },
      );
      await startBuild(id);
      return id;
    },
    onSettled: () => queries.invalidateQueries(servicesQuery),
    onSuccess: (serviceId) => navigate({ to: "/services/$serviceId", params: { serviceId } }),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (request !== null) creation.mutate(request);
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        {fieldsOf(creation.error)}
        <Fieldset legend="Repository">
          <SourceFields draft={draft} onChange={setDraft} returnTo="/services/new" error={creation.error} />
        </Fieldset>
        <Group justify="end">
          <Button type="submit" loading={creation.isPending} disabled={request === null}>
            Build and Deploy
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

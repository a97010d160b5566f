/** Sets or changes what a service is built from, or separates the two. */
import { Button, Group, Stack, Text } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { api } from "../api/client.ts";
import { dataOf } from "../api/problem.ts";
import { ConfirmButton } from "../layout/confirm-button.tsx";
import { QueryState } from "../layout/query-state.tsx";
import { beginSource, type SourceDraft, sourceRequestOf } from "./source-draft.ts";
import { SourceFields } from "./source-fields.tsx";
import { connectionsQuery, type ServiceSource, sourceQuery } from "./sources-query.ts";

interface SourceFormProps {
  readonly serviceId: string;
  readonly source: ServiceSource | null;
  /** That was just connected. */
  readonly connectionId: string | null;
}

export function SourceForm(props: SourceFormProps) {
  const connections = useQuery(connectionsQuery);
  return (
    <QueryState query={connections}>
      {({ items }) => <LoadedForm initial={beginSource(props.source, items, props.connectionId)} {...props} />}
    </QueryState>
  );
}

function LoadedForm({ initial, serviceId, source }: SourceFormProps & { readonly initial: SourceDraft }) {
  const queries = useQueryClient();
  const [draft, setDraft] = useState(initial);
  const request = sourceRequestOf(draft);
  const params = { path: { id: serviceId } };
  const save = useMutation({
    mutationFn: (body: NonNullable<typeof request>) => dataOf(api.PUT("/v1/services/{id}/source", { params, body })),
    onSuccess: (set) => queries.setQueryData(sourceQuery(serviceId).queryKey, set),
  });
  const removal = useMutation<unknown, Error, void>({
    mutationFn: () => dataOf(api.DELETE("/v1/services/{id}/source", { params })),
    onSuccess: () => queries.setQueryData(sourceQuery(serviceId).queryKey, null),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (request !== null) save.mutate(request);
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <SourceFields
          draft={draft}
          onChange={setDraft}
          returnTo={`/services/${serviceId}/source`}
          error={save.error}
          source={source}
        />
        <Group justify="space-between">
          <Button type="submit" disabled={request === null} loading={save.isPending}>
            Save Source
          </Button>
          {source !== null && (
            <ConfirmButton
              label="Remove"
              action="Remove the repository from the service"
              color="red"
              variant="light"
              mutation={removal}
            >
              <Text>Pushes build nothing any more. What serves continues to serve, and builds stay in the list.</Text>
            </ConfirmButton>
          )}
        </Group>
      </Stack>
    </form>
  );
}

/** The browsers in which the user is logged in. */
import { Badge, Button, Card, Group, Stack, Text } from "@mantine/core";
import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api } from "../api/client.ts";
import { dataOf } from "../api/problem.ts";
import { MutationError } from "../layout/mutation-error.tsx";
import { PageTitle } from "../layout/page-title.tsx";
import { QueryState } from "../layout/query-state.tsx";
import { Time } from "../layout/time.tsx";
import { Accounts } from "./accounts.tsx";
import { logOutEverywhere } from "./log-in.ts";
import { providersQuery } from "./providers-query.ts";

const sessionsQuery = queryOptions({
  queryKey: ["sessions"],
  queryFn: () => dataOf(api.GET("/v1/sessions", { params: { query: { size: 100 } } })),
});

export function SessionsPage() {
  const queries = useQueryClient();
  const sessions = useQuery(sessionsQuery);
  const providers = useQuery(providersQuery);
  const titles = new Map([
    ["login-link", "Login link"],
    ...(providers.data?.items ?? []).map(({ name, title }) => [name, title] as const),
  ]);
  const end = useMutation({
    mutationFn: (id: string) => dataOf(api.DELETE("/v1/sessions/{id}", { params: { path: { id } } })),
    onSettled: () => queries.invalidateQueries(sessionsQuery),
  });
  const endAll = useMutation({ mutationFn: logOutEverywhere });
  return (
    <Stack>
      <PageTitle title="Sessions">
        <Button color="red" variant="light" loading={endAll.isPending} onClick={() => endAll.mutate()}>
          Log out everywhere
        </Button>
      </PageTitle>
      <MutationError of={end} />
      <MutationError of={endAll} />
      <QueryState query={sessions}>
        {({ items }) =>
          items.map((session) => (
            <Card withBorder key={session.session_id}>
              <Group justify="space-between">
                <Stack gap={2}>
                  <Group gap="xs">
                    <Text fw={600}>{titles.get(session.provider) ?? session.provider}</Text>
                    {session.current && <Badge>This browser</Badge>}
                  </Group>
                  <Text size="sm" style={{ overflowWrap: "anywhere" }}>
                    {session.user_agent}
                  </Text>
                  <Text size="sm" c="dimmed">
                    Last used <Time of={session.last_used} />, ends <Time of={session.expires} />
                  </Text>
                </Stack>
                {!session.current && (
                  <Button variant="default" onClick={() => end.mutate(session.session_id)}>
                    Log out
                  </Button>
                )}
              </Group>
            </Card>
          ))
        }
      </QueryState>
      <Accounts />
    </Stack>
  );
}

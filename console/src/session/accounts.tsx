/** The accounts with which the user logs in. */
import { Button, Card, Group, Stack, Text, Title } from "@mantine/core";
import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { components } from "elastic-client/gen/schema.ts";
import { api } from "../api/client.ts";
import { dataOf } from "../api/problem.ts";
import { ConfirmButton } from "../layout/confirm-button.tsx";
import { MutationError } from "../layout/mutation-error.tsx";
import { QueryState } from "../layout/query-state.tsx";
import { Time } from "../layout/time.tsx";
import { providersQuery } from "./providers-query.ts";

const accountsQuery = queryOptions({
  queryKey: ["accounts"],
  queryFn: () => dataOf(api.GET("/v1/me/accounts", { params: { query: { size: 100 } } })),
});

/** Nothing where this service has no login provider. */
export function Accounts() {
  const accounts = useQuery(accountsQuery);
  const providers = useQuery(providersQuery);
  const link = useMutation({
    mutationFn: (provider: string) => dataOf(api.POST("/v1/me/accounts", { body: { provider } })),
    onSuccess: ({ url }) => window.location.assign(url),
  });
  if (providers.data === undefined || providers.data.items.length === 0) return null;
  return (
    <Stack>
      <Group justify="space-between">
        <Title order={2} size="h3">
          Login accounts
        </Title>
        <Group gap="xs">
          {providers.data.items.map(({ name, title }) => (
            <Button key={name} variant="default" loading={link.isPending} onClick={() => link.mutate(name)}>
              Link {title}
            </Button>
          ))}
        </Group>
      </Group>
      <MutationError of={link} />
      <QueryState query={accounts} empty={({ items }) => (items.length === 0 ? "You have linked no account." : null)}>
        {({ items }) => items.map((account) => <Account key={account.account_id} account={account} />)}
      </QueryState>
    </Stack>
  );
}

function Account({ account }: { readonly account: components["schemas"]["Account"] }) {
  const queries = useQueryClient();
  const unlink = useMutation<unknown, Error, void>({
    mutationFn: () => dataOf(api.DELETE("/v1/me/accounts/{id}", { params: { path: { id: account.account_id } } })),
    onSuccess: () => queries.invalidateQueries(accountsQuery),
  });
  return (
    <Card withBorder>
      <Group justify="space-between">
        <Stack gap={2}>
          <Text fw={600} style={{ overflowWrap: "anywhere" }}>
            {account.login}
          </Text>
          <Text size="sm" c="dimmed" style={{ overflowWrap: "anywhere" }}>
            {account.issuer}, last login <Time of={account.last_login} />
          </Text>
        </Stack>
        <ConfirmButton label="Unlink" action={`Unlink ${account.login}`} mutation={unlink} variant="default">
          It will not log you in any more. Browsers in which you are logged in stay so.
        </ConfirmButton>
      </Group>
    </Card>
  );
}

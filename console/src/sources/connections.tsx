/** The team's accounts at source hosts, from which services are built. */
import { Badge, Button, Card, Group, Stack, Text } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api } from "../api/client.ts";
import { dataOf } from "../api/problem.ts";
import { ConfirmButton } from "../layout/confirm-button.tsx";
import { MutationError } from "../layout/mutation-error.tsx";
import { QueryState } from "../layout/query-state.tsx";
import { Time } from "../layout/time.tsx";
import { MemberName } from "../members/member-name.tsx";
import { ForRole } from "../session/for-role.tsx";
import { visibleLine } from "../text/visible-text.ts";
import { ConnectButtons } from "./connect-buttons.tsx";
import { deletionText } from "./deletion-text.ts";
import { leaveForHost } from "./leave-for-host.ts";
import { LinkNotice } from "./link-notice.tsx";
import type { LinkSearch } from "./link-search.ts";
import { connectionsQuery, hostsQuery, type SourceConnection } from "./sources-query.ts";

const PAGE = "/settings/team";
const COLORS = { active: "green", suspended: "yellow", uninstalled: "red" } as const;

export function Connections({ search }: { readonly search: LinkSearch }) {
  const connections = useQuery(connectionsQuery);
  return (
    <Stack>
      <LinkNotice search={search} />
      <QueryState
        query={connections}
        empty={({ total }) =>
          total === 0 ? "No account is connected. Connect one to build services from its repositories." : null
        }
      >
        {({ items }) => items.map((one) => <Connection key={one.connection_id} of={one} />)}
      </QueryState>
      <ForRole lowest="member">
        <ConnectButtons returnTo={PAGE} />
      </ForRole>
    </Stack>
  );
}

function Connection({ of: connection }: { readonly of: SourceConnection }) {
  const { host, account, state, repositories, omitted_repositories: omitted } = connection;
  const { data: hosts } = useQuery(hostsQuery);
  const title = hosts?.items.find(({ name }) => name === host)?.title ?? host;
  const label = `${visibleLine(account)} at ${title}`;
  return (
    <Card withBorder component="article" aria-label={label}>
      <Group justify="space-between">
        <Stack gap={2}>
          <Group gap="xs">
            <Text fw={600} style={{ overflowWrap: "anywhere" }}>
              {label}
            </Text>
            <Badge color={COLORS[state]}>{state}</Badge>
          </Group>
          <Text size="sm">{repositoriesText(repositories, omitted)}</Text>
          <Text size="sm" c="dimmed" style={{ overflowWrap: "anywhere" }}>
            Connected by <MemberName userId={connection.user_id} />, last <Time of={connection.linked} />
          </Text>
          {state === "suspended" && <Text size="sm">An owner of the account can unsuspend the app at {title}.</Text>}
          {state === "uninstalled" && (
            <Text size="sm">
              The access was ended at {title}. Connect the account again, and set the source of its services again.
            </Text>
          )}
        </Stack>
        <ForRole lowest="member">
          <Actions of={connection} label={label} />
        </ForRole>
      </Group>
    </Card>
  );
}

function repositoriesText(repositories: number, omitted: number): string {
  const text = repositories === 1 ? "1 repository" : `${repositories.toLocaleString()} repositories`;
  return omitted === 0
    ? text
    : `${text}, and ${omitted.toLocaleString()} more that were pushed to longer ago are left out`;
}

interface ActionsProps {
  readonly of: SourceConnection;
  readonly label: string;
}

function Actions({ of: { connection_id: id, host, state, services }, label }: ActionsProps) {
  const queries = useQueryClient();
  const renewal = useMutation({ mutationFn: () => leaveForHost({ host, returnTo: PAGE, connectionId: id }) });
  const removal = useMutation<unknown, Error, void>({
    mutationFn: () => dataOf(api.DELETE("/v1/source-connections/{id}", { params: { path: { id } } })),
    onSuccess: () => queries.invalidateQueries({ queryKey: ["connections"] }),
  });
  return (
    <Group gap="xs">
      {state !== "uninstalled" && (
        <Button
          variant="default"
          size="compact-sm"
          aria-label={`Authorize Again: ${label}`}
          loading={renewal.isPending}
          onClick={() => renewal.mutate()}
        >
          Authorize Again
        </Button>
      )}
      <ConfirmButton
        label="Delete"
        action={`Delete the connection to ${label}`}
        color="red"
        variant="light"
        size="compact-sm"
        mutation={removal}
      >
        <Text style={{ overflowWrap: "anywhere" }}>
          {deletionText(services.map(({ service_name }) => service_name))} An app that is installed there stays so.
        </Text>
      </ConfirmButton>
      <MutationError of={renewal} />
    </Group>
  );
}

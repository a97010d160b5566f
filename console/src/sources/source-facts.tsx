/** From which repository a service is built, and what to do where it cannot be read any more. */
import { Alert, Anchor, Badge, Group, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Facts } from "../layout/facts.tsx";
import { Time } from "../layout/time.tsx";
import { MemberName } from "../team/member-name.tsx";
import { visibleLine } from "../text/visible-text.ts";
import { connectionAdvice } from "./connection-advice.ts";
import { RepositoryLink } from "./repository-link.tsx";
import { connectionsQuery, hostsQuery, type ServiceSource } from "./sources-query.ts";

export function SourceFacts({ of: source }: { readonly of: ServiceSource | null }) {
  if (source === null) {
    return (
      <Text c="dimmed">
        This service is built from no repository. Once one is set, a click or a push builds and deploys it.
      </Text>
    );
  }
  return (
    <Stack gap="sm">
      <Group>
        <Badge color={source.connected ? "green" : "red"}>{source.connected ? "Connected" : "Not connected"}</Badge>
      </Group>
      {!source.connected && <NotConnected of={source} />}
      <Facts
        of={{
          Repository: <RepositoryLink of={source} />,
          Branch: visibleLine(source.branch),
          Folder: source.base_dir === "" ? "all of the repository" : visibleLine(source.base_dir),
          "Deploy on push": source.deploy_on_push ? "on" : "off",
          "Set by": <MemberName userId={source.user_id} />,
          Set: <Time of={source.set} />,
        }}
      />
    </Stack>
  );
}

function NotConnected({ of: { connection_id: id, host } }: { readonly of: ServiceSource }) {
  const { data: connections } = useQuery(connectionsQuery);
  const { data: hosts } = useQuery(hostsQuery);
  const title = hosts?.items.find(({ name }) => name === host)?.title ?? host;
  const connection = connections?.items.find((one) => one.connection_id === id);
  return (
    <Alert color="red" title="The repository cannot be read">
      <Stack gap="xs">
        <Text>{connectionAdvice(connection, title)} What serves goes on serving.</Text>
        <Anchor c="inherit" underline="always" renderRoot={(props) => <Link to="/settings/team" {...props} />}>
          Connections of the team
        </Anchor>
      </Stack>
    </Alert>
  );
}

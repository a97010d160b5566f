/** What to do where the repository of a service cannot be read any more. */
import { Alert, Anchor, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { connectionAdvice } from "./connection-advice.ts";
import { connectionsQuery, hostsQuery, type ServiceSource } from "./sources-query.ts";

export function NotConnected({ of: { connection_id: id, host } }: { readonly of: ServiceSource }) {
  const { data: connections } = useQuery(connectionsQuery);
  const { data: hosts } = useQuery(hostsQuery);
  const title = hosts?.items.find(({ name }) => name === host)?.title ?? host;
  const connection = connections?.items.find((one) => one.connection_id === id);
  return (
    <Alert color="red" title="The repository cannot be read">
      <Stack gap="xs">
        <Text>{connectionAdvice(connection, title)} What serves continues to serve.</Text>
        <Anchor c="inherit" underline="always" renderRoot={(props) => <Link to="/settings/team" {...props} />}>
          Connections of the team
        </Anchor>
      </Stack>
    </Alert>
  );
}

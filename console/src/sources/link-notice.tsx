/** What became of connecting an account, on the page that the source host led back to. */
import { Alert, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { visibleLine } from "../text/visible-text.ts";
import { linkErrorText } from "./link-errors.ts";
import type { LinkSearch } from "./link-search.ts";
import { connectionsQuery, hostsQuery } from "./sources-query.ts";

export function LinkNotice({ search: { connection_id: id, source_error: error, source_host } }: LinkNoticeProps) {
  const { data: hosts } = useQuery(hostsQuery);
  const { data: connections } = useQuery({ ...connectionsQuery, enabled: id !== undefined });
  const connected = connections?.items.find(({ connection_id }) => connection_id === id);
  if (error !== undefined) {
    const title = hosts?.items.find(({ name }) => name === source_host)?.title;
    return (
      <Alert color="red" title="Not connected" role="alert">
        {linkErrorText(error, title)}
      </Alert>
    );
  }
  if (connected === undefined) return null;
  return (
    <Text role="status" style={{ overflowWrap: "anywhere" }}>
      The account {visibleLine(connected.account)} is connected.
    </Text>
  );
}

interface LinkNoticeProps {
  readonly search: LinkSearch;
}

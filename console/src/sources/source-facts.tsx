/** From which repository a service is built. */
import { Badge, Group, Stack, Text } from "@mantine/core";
import { Facts } from "../layout/facts.tsx";
import { Time } from "../layout/time.tsx";
import { MemberName } from "../members/member-name.tsx";
import { visibleLine } from "../text/visible-text.ts";
import { NotConnected } from "./not-connected.tsx";
import { RepositoryLink } from "./repository-link.tsx";
import type { ServiceSource } from "./sources-query.ts";

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

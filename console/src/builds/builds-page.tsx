/** The builds of a service on the fleet, the newest first. */
import { Anchor, Code, Stack, Table, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { bytesText } from "../layout/bytes-text.ts";
import { ColumnNames } from "../layout/column-names.tsx";
import { CutNotice } from "../layout/cut-notice.tsx";
import { QueryState } from "../layout/query-state.tsx";
import { Time } from "../layout/time.tsx";
import { canBuildFrom } from "../sources/can-build-from.ts";
import { hostsQuery } from "../sources/sources-query.ts";
import { BegunBy } from "./begun-by.tsx";
import { BuildPhase } from "./build-phase.tsx";
import { type Build, buildsQuery } from "./builds-query.ts";
import { Commit } from "./commit.tsx";
import { Duration } from "./duration.tsx";
import { ReleaseState } from "./release-state.tsx";

const COLUMNS = ["Build", "Phase", "Commit", "Begun by", "Deployment", "Created", "Duration", "Image", "Note"];

export function BuildsPage() {
  const { serviceId } = useParams({ from: "/inside/services/$serviceId/builds" });
  const builds = useQuery(buildsQuery(serviceId));
  return (
    <QueryState query={builds}>
      {(list) =>
        list.items.length === 0 ? (
          <NoBuilds />
        ) : (
          <Stack>
            <CutNotice of={list} />
            <Table.ScrollContainer minWidth={1000}>
              <Table>
                <ColumnNames names={COLUMNS} />
                <Table.Tbody>
                  {list.items.map((build) => (
                    <BuildRow key={build.build_id} of={build} />
                  ))}
                </Table.Tbody>
              </Table>
            </Table.ScrollContainer>
          </Stack>
        )
      }
    </QueryState>
  );
}

/** Only the ways that this installation has. */
function NoBuilds() {
  const { data: hosts } = useQuery(hostsQuery);
  if (hosts === undefined) return null;
  if (!hosts.registry) {
    return <Text c="dimmed">This installation builds no images: it has no registry to put them into.</Text>;
  }
  return (
    <Text c="dimmed">
      Nothing was built on the fleet yet: run <Code>elastic deploy --remote-build</Code> where your code is
      {canBuildFrom(hosts) && ", or set a repository under Source"}.
    </Text>
  );
}

function BuildRow({ of: build }: { readonly of: Build }) {
  const { service_id: serviceId, build_id: buildId } = build;
  return (
    <Table.Tr>
      <Table.Td>
        <Anchor
          ff="monospace"
          renderRoot={(props) => (
            <Link to="/services/$serviceId/builds/$buildId" params={{ serviceId, buildId }} {...props} />
          )}
        >
          {build.image_tag}
        </Anchor>
      </Table.Td>
      <Table.Td>
        <BuildPhase of={build} />
      </Table.Td>
      <Table.Td>
        <Commit of={build} />
      </Table.Td>
      <Table.Td>
        <BegunBy of={build} />
      </Table.Td>
      <Table.Td>
        <ReleaseState of={build} />
      </Table.Td>
      <Table.Td>
        <Time of={build.created} />
      </Table.Td>
      <Table.Td>
        <Duration of={build} />
      </Table.Td>
      <Table.Td>{build.image_bytes === null ? null : bytesText(build.image_bytes)}</Table.Td>
      <Table.Td style={{ overflowWrap: "anywhere" }}>{noteOf(build)}</Table.Td>
    </Table.Tr>
  );
}

function noteOf({ failure, waiting_for: waitingFor, reused_from: reusedFrom }: Build): string | null {
  if (failure !== null) return failure.line === null ? failure.reason : `${failure.reason}, line ${failure.line}`;
  if (waitingFor !== null) return `Waits for ${waitingFor}`;
  return reusedFrom === null ? null : "Unchanged: the image of an earlier build";
}

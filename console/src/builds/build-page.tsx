/** One build: how far it is, what it writes, and what can be done about it. */
import { Alert, Anchor, Button, Code, Group, Stack, Text } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { api } from "../api/client.ts";
import { dataOf } from "../api/problem.ts";
import { bytesText } from "../layout/bytes-text.ts";
import { CopyField } from "../layout/copy-field.tsx";
import { Facts } from "../layout/facts.tsx";
import { MutationError } from "../layout/mutation-error.tsx";
import { QueryState } from "../layout/query-state.tsx";
import { TextBlock } from "../layout/text-block.tsx";
import { Time } from "../layout/time.tsx";
import { ForRole } from "../session/for-role.tsx";
import { RepositoryLink } from "../sources/repository-link.tsx";
import { secondsText } from "../text/seconds-text.ts";
import { visibleLine } from "../text/visible-text.ts";
import { BegunBy } from "./begun-by.tsx";
import { BuildFailure } from "./build-failure.tsx";
import { BuildLog } from "./build-log.tsx";
import { BuildPhase } from "./build-phase.tsx";
import { type Build, buildQuery, isOpenBuild } from "./builds-query.ts";
import { Commit } from "./commit.tsx";
import { refText } from "./commit-text.ts";
import { Duration } from "./duration.tsx";
import { ReleaseState } from "./release-state.tsx";
import { useBuildLog } from "./use-build-log.ts";

export function BuildPage() {
  const { buildId } = useParams({ from: "/inside/services/$serviceId/builds/$buildId" });
  const build = useQuery(buildQuery(buildId));
  return <QueryState query={build}>{(one) => <BuildDetails key={buildId} of={one} />}</QueryState>;
}

function BuildDetails({ of: build }: { readonly of: Build }) {
  const { build_id: id, failure, image, release } = build;
  // Its phase says so; only what took its place is news.
  const isCancelled = build.phase === "cancelled" && release?.state !== "superseded";
  return (
    <Stack>
      <Group>
        <Text fw={600} ff="monospace">
          {build.image_tag}
        </Text>
        <BuildPhase of={build} />
      </Group>
      {build.waiting_for !== null && <Alert color="yellow">Waits for {build.waiting_for}.</Alert>}
      {failure !== null && <BuildFailure of={failure} build={build} />}
      {failure === null && typeof release?.message === "string" && !isCancelled && (
        <Alert color={release.state === "failed" ? "red" : "gray"} title="Not deployed">
          <TextBlock text={release.message} label="Why it was not deployed" />
        </Alert>
      )}
      <Facts
        of={{
          Created: <Time of={build.created} />,
          "Begun by": <BegunBy of={build} />,
          Repository: build.repository && <RepositoryLink of={build.repository} />,
          "Branch, tag or commit": build.repository && visibleLine(refText(build.repository.ref)),
          Commit: build.repository?.commit ? <Commit of={build} /> : null,
          Deployment: release && <ReleaseState of={build} />,
          Duration: build.started === null || build.reused_from !== null ? null : <Duration of={build} />,
          Stages: build.stages.length === 0 ? null : stagesText(build),
          "Base directory": build.base_dir === "" ? null : build.base_dir,
          "Build file": build.build_file,
          Size: build.image_bytes === null ? null : bytesText(build.image_bytes),
          Runs: build.runs > 1 ? `${build.runs}: a machine was lost` : null,
        }}
      />
      <CopyField text={id} label="Build id" />
      {image !== null && <Code style={{ overflowWrap: "anywhere" }}>{image}</Code>}
      {build.reused_from !== null && (
        <Text c="dimmed">The source is unchanged: this is the image of an earlier build.</Text>
      )}
      <ForRole lowest="member">
        <Actions of={build} />
      </ForRole>
      {build.reused_from === null && <Log buildId={id} run={build.runs} />}
    </Stack>
  );
}

function stagesText({ stages }: Build): string {
  return stages.map(({ name, seconds }) => `${name} ${secondsText(seconds)}`).join(", ");
}

function Log({ buildId, run }: { readonly buildId: string; readonly run: number }) {
  const steps = useBuildLog(buildId, run);
  return (
    <Stack gap="xs">
      <BuildLog steps={steps} />
      <Anchor size="sm" href={`/v1/builds/${buildId}/log`} download={`${buildId}.log`}>
        Download the log
      </Anchor>
    </Stack>
  );
}

function Actions({ of: build }: { readonly of: Build }) {
  const { service_id: serviceId, build_id: id, image } = build;
  const params = { path: { id } };
  const navigate = useNavigate();
  const queries = useQueryClient();
  const onSettled = () => queries.invalidateQueries({ queryKey: ["builds", id] });
  const cancel = useMutation({ mutationFn: () => dataOf(api.POST("/v1/builds/{id}/cancel", { params })), onSettled });
  const retry = useMutation({
    mutationFn: (body: { readonly no_cache: boolean }) => dataOf(api.POST("/v1/builds/{id}/retry", { params, body })),
    onSuccess: ({ build_id: buildId }) =>
      navigate({ to: "/services/$serviceId/builds/$buildId", params: { serviceId, buildId } }),
  });
  if (isOpenBuild(build)) {
    return (
      <Group>
        <Button variant="default" loading={cancel.isPending} onClick={() => cancel.mutate()}>
          Cancel Build
        </Button>
        <MutationError of={cancel} />
      </Group>
    );
  }
  return (
    <Group>
      {image !== null && (
        <Button
          renderRoot={(props) => (
            <Link to="/services/$serviceId/deploy" params={{ serviceId }} search={{ image }} {...props} />
          )}
        >
          Deploy
        </Button>
      )}
      <Button variant="default" loading={retry.isPending} onClick={() => retry.mutate({ no_cache: true })}>
        Retry Without Cache
      </Button>
      <MutationError of={retry} />
    </Group>
  );
}

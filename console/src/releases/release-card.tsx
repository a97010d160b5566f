/** How far a service is on its way from a source to serving, live: its source, the build, the deployment. */
import { Alert, Anchor, Card, Group, Stack, Stepper, Text, Title } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { BegunBy } from "../builds/begun-by.tsx";
import { BuildFailure } from "../builds/build-failure.tsx";
import type { Build } from "../builds/builds-query.ts";
import { Commit } from "../builds/commit.tsx";
import { RollOut } from "../deployments/roll-out.tsx";
import { TextBlock } from "../layout/text-block.tsx";
import { Time } from "../layout/time.tsx";
import { ForRole } from "../session/for-role.tsx";
import { BuildAndDeploy } from "../sources/build-and-deploy.tsx";
import { RepositoryLink } from "../sources/repository-link.tsx";
import { visibleLine } from "../text/visible-text.ts";
import { BuildProgress } from "./build-progress.tsx";
import { releaseStages, releaseTitle, type StageState } from "./release-stages.ts";

interface ReleaseCardProps {
  readonly of: Build;
  /** Whether an earlier deployment serves meanwhile. */
  readonly isServing: boolean;
}

export function ReleaseCard({ of: build, isServing }: ReleaseCardProps) {
  const isOver = releaseStages(build).some(({ state }) => state === "failed" || state === "cancelled");
  return (
    <Card withBorder component="section" aria-label="Build and deployment">
      <Stack gap="sm">
        <Title order={2} size="h3" aria-live="polite">
          {releaseTitle(build)}
        </Title>
        <Origin of={build} />
        <Stages of={build} />
        <Now of={build} />
        {isOver && isServing && <Text>What served before continues to serve.</Text>}
        <Links of={build} />
        {isOver && build.repository !== null && (
          <ForRole lowest="member">
            <BuildAndDeploy serviceId={build.service_id} />
          </ForRole>
        )}
      </Stack>
    </Card>
  );
}

function Origin({ of: build }: { readonly of: Build }) {
  return (
    <Text size="sm" c="dimmed" component="div" style={{ overflowWrap: "anywhere" }}>
      {build.repository !== null && (
        <>
          <RepositoryLink of={build.repository} /> <Commit of={build} />,{" "}
        </>
      )}
      begun by <BegunBy of={build} />, <Time of={build.created} />
    </Text>
  );
}

const ENDS: Readonly<Partial<Record<StageState, { readonly color: string; readonly description: string }>>> = {
  failed: { color: "red", description: "failed" },
  cancelled: { color: "gray", description: "not done" },
};

function Stages({ of: build }: { readonly of: Build }) {
  const stages = releaseStages(build);
  const active = stages.findIndex(({ state }) => state !== "done");
  return (
    <Stepper active={active < 0 ? stages.length : active} size="sm" allowNextStepsSelect={false}>
      {stages.map(({ name, state }) => (
        <Stepper.Step key={name} label={name} {...ENDS[state]} />
      ))}
    </Stepper>
  );
}

/** What the stage that is under way, or that failed, is at. */
function Now({ of: build }: { readonly of: Build }) {
  const { failure, release, phase, service_id: serviceId } = build;
  if (failure !== null) return <BuildFailure of={failure} build={build} />;
  if (phase === "queued") return <Text>Waits for {build.waiting_for ?? "a machine that builds"}.</Text>;
  if (phase === "running") return <BuildProgress buildId={build.build_id} run={build.runs} />;
  if (release?.state === "deploying" && release.deployment_id !== null) {
    return <RollOut serviceId={serviceId} deploymentId={release.deployment_id} />;
  }
  if (release === null || release.message === null) return null;
  if (release.state === "superseded") return <Text c="dimmed">{visibleLine(release.message)}</Text>;
  // That it was cancelled is all there is to say of it.
  if (phase === "cancelled") return null;
  return (
    <Alert color="red" title="The image was built and not deployed">
      <TextBlock text={release.message} label="Why it was not deployed" />
    </Alert>
  );
}

function Links({ of: build }: { readonly of: Build }) {
  const { service_id: serviceId, build_id: buildId, image, release } = build;
  return (
    <Group>
      <Anchor
        renderRoot={(props) => (
          <Link to="/services/$serviceId/builds/$buildId" params={{ serviceId, buildId }} {...props} />
        )}
      >
        Build and Log
      </Anchor>
      {typeof release?.deployment_id === "string" && (
        <Anchor
          renderRoot={(props) => <Link to="/services/$serviceId/deployments" params={{ serviceId }} {...props} />}
        >
          Deployments
        </Anchor>
      )}
      {release === null && image !== null && (
        <Anchor
          renderRoot={(props) => (
            <Link to="/services/$serviceId/deploy" params={{ serviceId }} search={{ image }} {...props} />
          )}
        >
          Deploy
        </Anchor>
      )}
    </Group>
  );
}

/** One service: how its build and roll-out go, where tasks are posted, and a way to try it. */
import { Alert, Stack, Text } from "@mantine/core";
import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import type { components } from "elastic-client/gen/schema.ts";
import { useState } from "react";
import { newestBuildsQuery } from "../builds/builds-query.ts";
import { DeploymentFailure } from "../deployments/deployment-failure.tsx";
import { deploymentsQuery } from "../deployments/deployments-query.ts";
import { RollOut } from "../deployments/roll-out.tsx";
import { Playground } from "../playground/playground.tsx";
import { recentInputs } from "../playground/recent-inputs.ts";
import { ReleaseCard } from "../releases/release-card.tsx";
import { shownBuild, unchangedBuild } from "../releases/shown-build.ts";
import { DEMO_IMAGE, DEMO_INPUT } from "../services/demo-prover.ts";
import { serviceQuery } from "../services/services-query.ts";
import { isVerifier } from "../services/verify-proof.ts";
import { ForRole } from "../session/for-role.tsx";
import { NotConnected } from "../sources/not-connected.tsx";
import { sourceQuery } from "../sources/sources-query.ts";
import { EndpointCard } from "./endpoint-card.tsx";
import { FirstSteps } from "./first-steps.tsx";

type Service = components["schemas"]["Service"];

export function ServicePage() {
  const { serviceId } = useParams({ from: "/inside/services/$serviceId" });
  const { data: one } = useSuspenseQuery(serviceQuery(serviceId));
  const { data: builds } = useQuery(newestBuildsQuery(serviceId));
  const { next_deployment_id: next, current_deployment_id: current } = one;
  const { data: source } = useQuery(sourceQuery(serviceId));
  const build = shownBuild(builds ?? [], one);
  const nothingChanged = unchangedBuild(builds ?? [], one);
  const isNew = builds !== undefined && build === null && one.state === "Unready" && next === null && current === null;
  return (
    <Stack>
      {source !== undefined && source !== null && !source.connected && <NotConnected of={source} />}
      {nothingChanged !== null && <Text role="status">Nothing changed: this image serves already.</Text>}
      {build !== null && <ReleaseCard of={build} isServing={current !== null} />}
      {one.failure !== null && <NewestFailure serviceId={serviceId} />}
      {one.waiting !== null && <Alert color="yellow">{one.waiting.message}</Alert>}
      {next !== null && next !== build?.release?.deployment_id && <RollOut serviceId={serviceId} deploymentId={next} />}
      {isNew && <FirstSteps serviceId={serviceId} />}
      {one.image !== null && isVerifier(one.image) && (
        <Text c="dimmed">
          It checks proofs: the form Run of a service whose prover it belongs to has each of them checked here.
        </Text>
      )}
      {one.state === "Ready" && <TryService key={serviceId} service={one} />}
    </Stack>
  );
}

/** The newest roll-out failed, so the newest deployment says why. */
function NewestFailure({ serviceId }: { readonly serviceId: string }) {
  const { data } = useQuery(deploymentsQuery(serviceId));
  const failure = data?.items.find((deployment) => deployment.failure !== null)?.failure ?? null;
  return failure === null ? null : <DeploymentFailure failure={failure} />;
}

/** The same input is run here and by the command line. */
function TryService({ service }: { readonly service: Service }) {
  const [input, setInput] = useState(() => firstInput(service));
  return (
    <>
      <EndpointCard service={service} input={input} />
      <ForRole lowest="member">
        <Playground service={service} input={input} onInput={setInput} />
      </ForRole>
    </>
  );
}

function firstInput({ service_id, image }: Service): string {
  return recentInputs(service_id, localStorage)[0] ?? (image === DEMO_IMAGE ? DEMO_INPUT : "{}");
}

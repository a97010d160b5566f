/** One service: where tasks are posted, how its roll-out goes, and a way to try it. */
import { Alert, Stack } from "@mantine/core";
import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import type { components } from "elastic-cli/api/gen/schema.ts";
import { useState } from "react";
import { DeploymentFailure } from "../deployments/deployment-failure.tsx";
import { deploymentsQuery } from "../deployments/deployments-query.ts";
import { ForRole } from "../session/for-role.tsx";
import { DEMO_IMAGE, DEMO_INPUT } from "./demo-prover.ts";
import { EndpointCard } from "./endpoint-card.tsx";
import { Playground } from "./playground.tsx";
import { recentInputs } from "./recent-inputs.ts";
import { RollOut } from "./roll-out.tsx";
import { serviceQuery } from "./services-query.ts";

type Service = components["schemas"]["Service"];

export function ServicePage() {
  const { serviceId } = useParams({ from: "/inside/services/$serviceId" });
  const { data: one } = useSuspenseQuery(serviceQuery(serviceId));
  return (
    <Stack>
      {one.failure !== null && <NewestFailure serviceId={serviceId} />}
      {one.waiting !== null && <Alert color="yellow">{one.waiting.message}</Alert>}
      {one.next_deployment_id !== null && <RollOut serviceId={serviceId} deploymentId={one.next_deployment_id} />}
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

/** Does what a build's release needs next. */
import type { Build } from "../domain/build.ts";
import type { ReleaseState } from "../domain/release.ts";
import type { Versioned } from "../domain/versioned.ts";
import { replace } from "../store/change.ts";
import { eventDeliveries } from "../store/event-deliveries.ts";
import type { View } from "../store/store.ts";
import { decideRelease, type ReleaseFacts } from "./decide-release.ts";
import { type DeployBuildOptions, deployBuild, NotDeployableError, newestDeployment } from "./deploy-build.ts";

/** What another coordinator, or a user, changed meanwhile stays as it is. */
export async function stepRelease(options: DeployBuildOptions, build: Versioned<Build>): Promise<void> {
  const step = decideRelease(build.value, factsOf(options.store.view, build.value));
  if (step === null) return;
  if (step.kind === "settle") {
    await settle(options, build, step.state, step.notify);
    return;
  }
  try {
    await deployBuild(options, build);
  } catch (error) {
    if (!(error instanceof NotDeployableError)) throw error;
    await settle(options, build, { kind: "failed", deploymentId: null, message: error.message }, true);
  }
}

function factsOf({ services, deployments, rollOuts }: View, { serviceId, release }: Build): ReleaseFacts {
  const service = services.get(serviceId)?.value ?? null;
  const state = release?.state;
  return {
    service,
    current: deployments.get(service?.currentDeploymentId ?? "")?.value ?? null,
    newest: newestDeployment({ deployments }, serviceId),
    rollOut: state?.kind === "deploying" ? (rollOuts.get(state.deploymentId)?.value ?? null) : null,
  };
}

async function settle(
  { store, clock }: DeployBuildOptions,
  build: Versioned<Build>,
  state: ReleaseState,
  notify: boolean,
): Promise<void> {
  const { id, serviceId, release } = build.value;
  if (release === null) return;
  const createdAt = clock.now();
  const event = { type: "deployment.failed", subjectId: id, subjectKind: "build", createdAt } as const;
  await store.commit([
    replace("builds", build, { ...build.value, release: { ...release, state } }),
    ...(notify ? eventDeliveries(store.view, serviceId, event) : []),
  ]);
}

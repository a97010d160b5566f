/**
 * A service: a team's named endpoint. It outlives its deployments.
 *
 *   unready ──a workload of the next deployment is ready──▶ ready
 *      │                                                      │
 *      └──first start failed──▶ failed ──deploy──▶ unready    └──a later deployment fails: stays ready
 *   any ──delete──▶ deleted
 */
import type { Instant } from "@elastic/std/clock.ts";
import type { FailureReason } from "./failure.ts";
import type { FailedStep, StepFailure } from "./roll-out.ts";

type ServiceState =
  | { readonly kind: "unready" }
  | { readonly kind: "ready" }
  | { readonly kind: "failed"; readonly reason: FailureReason; readonly message: string }
  | { readonly kind: "deleted"; readonly at: Instant };

/** Why a deployment never became current. */
interface RollOutFailure {
  readonly deploymentId: string;
  readonly step: FailedStep;
  readonly reason: FailureReason;
  readonly message: string;
}

export interface Service {
  readonly id: string;
  readonly teamId: string;
  readonly name: string;
  readonly creatorId: string;
  readonly createdAt: Instant;
  readonly state: ServiceState;
  /** The deployment that serves; null until one was ready. */
  readonly currentDeploymentId: string | null;
  /** The deployment that is coming up; null when none is. */
  readonly nextDeploymentId: string | null;
  /** The newest roll-out that failed, until the next one begins; also of a service that stayed ready. */
  readonly rollOutFailure: RollOutFailure | null;
  /** How long input and result of its tasks are retained (retention.ts); the default where it is not said. */
  readonly resultRetentionMs?: number;
}

/** What a new service is made of. */
export type NewService = Pick<Service, "id" | "teamId" | "name" | "creatorId" | "createdAt" | "resultRetentionMs">;

/** A service without a deployment. */
export function newService(service: NewService): Service {
  return {
    ...service,
    state: { kind: "unready" },
    currentDeploymentId: null,
    nextDeploymentId: null,
    rollOutFailure: null,
  };
}

/** The deployment that takes tasks; null for a service that never was ready or is deleted. */
export function servingDeploymentId(service: Service): string | null {
  return service.state.kind === "ready" ? service.currentDeploymentId : null;
}

/** Starts a roll-out. A service that was ready keeps serving with what it has. */
export function deploy(service: Service, deploymentId: string): Service {
  assertAlive(service);
  const state: ServiceState = service.state.kind === "ready" ? service.state : { kind: "unready" };
  return { ...service, state, nextDeploymentId: deploymentId, rollOutFailure: null };
}

/** The next deployment has a ready workload: it becomes current. */
export function rolledOut(service: Service): Service {
  assertAlive(service);
  if (service.nextDeploymentId === null) throw new Error(`service ${service.id} has no deployment coming up`);
  return {
    ...service,
    state: { kind: "ready" },
    currentDeploymentId: service.nextDeploymentId,
    nextDeploymentId: null,
  };
}

/** The next deployment did not come up. A service that never was ready fails with the reason. */
export function rollOutFailed(
  service: Service,
  { step, reason, message }: Pick<StepFailure, "step" | "reason" | "message">,
): Service {
  assertAlive(service);
  if (service.nextDeploymentId === null) throw new Error(`service ${service.id} has no deployment coming up`);
  const state: ServiceState = service.state.kind === "ready" ? service.state : { kind: "failed", reason, message };
  const rollOutFailure = { deploymentId: service.nextDeploymentId, step, reason, message };
  return { ...service, state, nextDeploymentId: null, rollOutFailure };
}

export function deleted(service: Service, now: Instant): Service {
  assertAlive(service);
  return { ...service, state: { kind: "deleted", at: now }, currentDeploymentId: null, nextDeploymentId: null };
}

function assertAlive(service: Service): void {
  if (service.state.kind === "deleted") throw new Error(`service ${service.id} is deleted`);
}

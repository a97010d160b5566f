/** What a build's release needs next. Pure. */
import { type Build, imageOf } from "../domain/build.ts";
import type { Deployment } from "../domain/deployment.ts";
import type { ReleaseState } from "../domain/release.ts";
import type { RollOut } from "../domain/roll-out.ts";
import type { Service } from "../domain/service.ts";

export type ReleaseStep =
  | { readonly kind: "deploy" }
  /** `notify`: nothing else reports this end to the service's webhooks. */
  | { readonly kind: "settle"; readonly state: ReleaseState; readonly notify: boolean };

export interface ReleaseFacts {
  readonly service: Service | null;
  /** The one that serves. */
  readonly current: Deployment | null;
  /** The one that was requested last, whatever became of it. */
  readonly newest: Deployment | null;
  /** Of the deployment that the release began. */
  readonly rollOut: RollOut | null;
}

/** Null while there is nothing to do. */
export function decideRelease(build: Build, facts: ReleaseFacts): ReleaseStep | null {
  const state = build.release?.state;
  if (state?.kind === "waiting") return afterBuild(build, facts);
  return state?.kind === "deploying" ? afterRollOut(state.deploymentId, facts.rollOut) : null;
}

function afterBuild(build: Build, { service, current, newest }: ReleaseFacts): ReleaseStep | null {
  const { state } = build;
  if (service === null || service.state.kind === "deleted") return failed("the service was deleted");
  if (state.kind === "failed") {
    return { ...failed(`the build failed: ${state.failure.reason}: ${state.failure.message}`), notify: true };
  }
  if (state.kind === "cancelled") return failed("the build was cancelled");
  if (state.kind !== "succeeded") return null;
  const isServing = service.nextDeploymentId === null && current !== null && current.image === imageOf(build);
  // Somebody went back, or deployed something else, while it was built.
  if (newest !== null && newest.buildId === undefined && newest.createdAt > build.createdAt) {
    const message = `deployment ${newest.id} was requested after it`;
    return { kind: "settle", state: { kind: "superseded", deploymentId: null, message }, notify: false };
  }
  if (!isServing) return { kind: "deploy" };
  return { kind: "settle", state: { kind: "released", deploymentId: current.id }, notify: false };
}

/** Its webhooks are notified by the roll-out's own end. */
function afterRollOut(deploymentId: string, rollOut: RollOut | null): ReleaseStep | null {
  if (rollOut === null) return failed("the deployment is not there any more", deploymentId);
  const last = rollOut.events.at(-1);
  if (last?.stage === "ready") return { kind: "settle", state: { kind: "released", deploymentId }, notify: false };
  if (last?.stage === "failed") {
    const { step, reason, message } = last.failure ?? { step: "placing", reason: "internal", message: "" };
    return failed(`the deployment failed at ${step}: ${reason}: ${message}`, deploymentId);
  }
  if (last?.stage !== "cancelled") return null;
  const message = last.note ?? "another deployment took its place";
  return { kind: "settle", state: { kind: "superseded", deploymentId, message }, notify: false };
}

const MESSAGE_CHARACTERS_MAX = 600;

function failed(
  message: string,
  deploymentId: string | null = null,
): Extract<ReleaseStep, { readonly kind: "settle" }> {
  const shortened = message.slice(0, MESSAGE_CHARACTERS_MAX).toWellFormed();
  return { kind: "settle", state: { kind: "failed", deploymentId, message: shortened }, notify: false };
}

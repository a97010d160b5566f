import { describe, expect, test } from "vitest";
import { type Build, cancelled, failed, imageOf, running, succeeded } from "../domain/build.ts";
import type { Deployment } from "../domain/deployment.ts";
import { newRelease, type ReleaseState } from "../domain/release.ts";
import { beginRollOut, type RollOut, type RollOutStage, rollOutEvent, withEvents } from "../domain/roll-out.ts";
import { deleted, deploy, rolledOut } from "../domain/service.ts";
import { aBuild, aDeployment, aNewService } from "../domain/testing/records.ts";
import { decideRelease, type ReleaseFacts } from "./decide-release.ts";

const service = aNewService();
const deployment = aDeployment({ serviceId: service.id });
const queued = aBuild({ serviceId: service.id, release: newRelease(null) });
const built = succeeded(queued, { digest: `sha256:${"d".repeat(64)}`, imageBytes: 1 }, 1);

function decide(build: Build, more: Partial<ReleaseFacts> = {}) {
  return decideRelease(build, { service, current: null, newest: null, rollOut: null, ...more });
}

function deploying(build: Build): Build {
  const state: ReleaseState = { kind: "deploying", deploymentId: deployment.id };
  return { ...build, release: { ...newRelease(null), state } };
}

function rollOutAt(stage: RollOutStage, detail: object = {}): RollOut {
  const of = { id: deployment.id, serviceId: service.id, teamId: service.teamId };
  const begun = beginRollOut(of, { receivedAt: 0, resolvedAt: 0 }, null);
  return withEvents(begun, [rollOutEvent(stage, 1, detail)]);
}

describe("a release that waits for its build", () => {
  test("does nothing while that is open, and deploys it once it succeeded", () => {
    expect(decide(queued)).toBeNull();
    expect(decide(running(queued, { assignmentId: "a", nodeId: "n" }, 1))).toBeNull();
    expect(decide(built)).toEqual({ kind: "deploy" });
  });

  test("is over where the image serves already, unless another one is coming up", () => {
    const current: Deployment = { ...deployment, image: imageOf(built) ?? "" };
    const serving = rolledOut(deploy(service, deployment.id));
    const state = { kind: "released", deploymentId: deployment.id };
    expect(decide(built, { service: serving, current })).toEqual({ kind: "settle", state, notify: false });
    expect(decide(built, { service: deploy(serving, "another"), current })).toEqual({ kind: "deploy" });
  });

  test("gives way to what somebody deployed after it, and not to what was deployed before or by a build", () => {
    const newest: Deployment = { ...deployment, createdAt: built.createdAt + 1 };
    expect(decide(built, { newest })).toMatchObject({ kind: "settle", state: { kind: "superseded" }, notify: false });
    expect(decide(built, { newest: { ...newest, buildId: "b" } })).toEqual({ kind: "deploy" });
    expect(decide(built, { newest: { ...newest, createdAt: built.createdAt } })).toEqual({ kind: "deploy" });
  });

  test("fails with the build, and notifies of it; not of one that a user cancelled", () => {
    const broken = failed(queued, { reason: "build_failed", message: "exit code: 3", line: 2 }, 1);
    const message = "the build failed: build_failed: exit code: 3";
    expect(decide(broken)).toEqual({
      kind: "settle",
      state: { kind: "failed", deploymentId: null, message },
      notify: true,
    });
    expect(decide(cancelled(queued, 1))).toMatchObject({
      state: { message: "the build was cancelled" },
      notify: false,
    });
  });

  test("fails where its service is gone", () => {
    for (const gone of [null, deleted(service, 1)]) {
      expect(decide(built, { service: gone })).toMatchObject({ kind: "settle", state: { kind: "failed" } });
    }
  });
});

describe("a release that deploys", () => {
  const build = deploying(built);

  test.each(["received", "healthy", "proving", "retrying"] as const)("waits while its roll-out is %s", (stage) => {
    expect(decide(build, { rollOut: rollOutAt(stage) })).toBeNull();
  });

  test("ends as its roll-out does, which sends its own notifications", () => {
    const failure = { step: "proving", reason: "prover_error", message: "no", exitCode: null, logTail: "" } as const;
    const ends = [
      [rollOutAt("ready"), { kind: "released" }],
      [
        rollOutAt("failed", { failure }),
        { kind: "failed", message: "the deployment failed at proving: prover_error: no" },
      ],
      [rollOutAt("cancelled", { note: "deployment x took its place" }), { kind: "superseded" }],
    ] as const;
    for (const [rollOut, state] of ends) {
      const step = decide(build, { rollOut });
      expect(step).toMatchObject({ kind: "settle", notify: false, state: { deploymentId: deployment.id, ...state } });
    }
  });

  test("fails where its deployment is gone", () => {
    expect(decide(build)).toMatchObject({ kind: "settle", state: { kind: "failed" } });
  });
});

test("a release that has ended, and a build without one, need nothing", () => {
  const released: ReleaseState = { kind: "released", deploymentId: deployment.id };
  expect(decide({ ...built, release: { ...newRelease(null), state: released } })).toBeNull();
  expect(decide({ ...built, release: null })).toBeNull();
});

import type { BuildReport } from "@elastic/proto/gen/elastic/fleet/v1/build.ts";
import { systemClock } from "@elastic/std/clock.ts";
import { newId } from "@elastic/std/ids.ts";
import { createLog } from "@elastic/std/log.ts";
import { expect, test } from "vitest";
import type { BuildSpec } from "../domain/build-spec.ts";
import { openBuilds } from "./builds.ts";
import type { BuildCall, BuiltImage } from "./run-build.ts";

const IMAGE: BuiltImage = { digest: `sha256:${"0".repeat(64)}`, bytes: 1 };

function specOf(teamId: string, timeoutMs = 60_000): BuildSpec {
  const id = newId(Date.now());
  return {
    assignmentId: id,
    buildId: id,
    teamId,
    source: { sha256: "0".repeat(64), bytes: 1, stripComponents: 0 },
    baseDir: "",
    buildFile: "Dockerfile",
    target: "",
    buildArgs: {},
    noCache: false,
    repository: "registry/prover",
    tag: "1",
    limits: { timeoutMs, memoryBytes: 1, pids: 1, imageBytes: 1, logBytes: 1_000 },
    log: { taskId: id, number: 1, token: undefined },
  };
}

function buildsThat(run: (spec: BuildSpec, call: BuildCall) => Promise<BuiltImage>) {
  const last = new Map<string, BuildReport>();
  const builds = openBuilds({
    run,
    whyNot: "",
    logs: { begin: () => ({ follow: () => undefined, end: () => undefined }) as never },
    send: (report) => last.set(report.assignmentId, report),
    clock: systemClock,
    log: createLog({ name: "builds", level: "silent" }),
  });
  const outcomeOf = (spec: BuildSpec) => last.get(spec.assignmentId)?.outcome;
  return { builds, outcomeOf };
}

/** Runs until it is ended. */
function endless(_: BuildSpec, { signal }: BuildCall): Promise<BuiltImage> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}

test("ends a build at its time limit, by name, while those of other teams succeed", async () => {
  const [slow, quick] = [specOf("slow", 20), specOf("quick")];
  const { builds, outcomeOf } = buildsThat((spec, call) =>
    spec === slow ? endless(spec, call) : Promise.resolve(IMAGE),
  );
  builds.want([slow, quick]);
  await expect.poll(() => outcomeOf(quick)).toMatchObject({ $case: "succeeded" });
  await expect
    .poll(() => outcomeOf(slow))
    .toMatchObject({ $case: "failed", value: { reason: "timeout", message: "the build took longer than 0 seconds" } });
  await builds.stop();
});

test("runs one build of a team at a time, and the next one when it is no longer wanted", async () => {
  const [first, second] = [specOf("team"), specOf("team")];
  const begun: BuildSpec[] = [];
  const { builds, outcomeOf } = buildsThat((spec, call) => {
    begun.push(spec);
    return spec === first ? endless(spec, call) : Promise.resolve(IMAGE);
  });
  builds.want([first, second]);
  await expect.poll(() => begun).toEqual([first]);
  builds.want([second]);
  await expect.poll(() => outcomeOf(second)).toMatchObject({ $case: "succeeded" });
  // Nobody waits for it any more.
  expect(outcomeOf(first)).toBeUndefined();
  await builds.stop();
});

test("stops once the last build is gone, also one that is no longer wanted", async () => {
  const [begun, gone] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const { builds } = buildsThat(async (one, call) => {
    begun.resolve();
    // As a sandbox that is removed.
    return await endless(one, call).finally(() => gone.promise);
  });
  builds.want([specOf("team")]);
  await begun.promise;
  builds.want([]);
  let isStopped = false;
  const stopping = builds.stop().then(() => {
    isStopped = true;
  });
  await new Promise((resolve) => setImmediate(resolve));
  expect(isStopped).toBe(false);
  gone.resolve();
  await stopping;
});

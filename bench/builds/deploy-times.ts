/** How long a source takes to become a service that is Ready, and how long cargo alone takes on the same machine. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { until } from "@elastic/deploy/local/until.ts";
import type { ApiClient } from "@elastic/test/cluster/api-client.ts";
import { type BuildRecord, createBuild, sendSource } from "@elastic/test/cluster/build-source.ts";
import { runCargo } from "./cargo.ts";
import type { ProverSource } from "./prover-source.ts";

export const CACHES = ["cold", "warm", "edited"] as const;
export type Cache = (typeof CACHES)[number];
export type Seconds = Readonly<Record<Cache, number>>;

const WITHIN = { timeoutMs: 30 * 60_000, everyMs: 50 };

/** From the request for the build, its source sent, to Ready; each of another service, so that no image is reused. */
export async function ourSeconds(user: ApiClient, source: ProverSource): Promise<Seconds> {
  const cold = await deployed(user, source);
  const warm = await deployed(user, source);
  source.edit();
  return { cold, warm, edited: await deployed(user, source) };
}

/** Of a build with an empty target folder, once more, and after the edit. */
export async function cargoSeconds(source: ProverSource): Promise<Seconds> {
  rmSync(join(source.folder, "target"), { recursive: true, force: true });
  const built = () => secondsOf(() => runCargo(source.folder, source.cargoArgs));
  const cold = await built();
  const warm = await built();
  source.edit();
  return { cold, warm, edited: await built() };
}

let services = 0;

async function deployed(user: ApiClient, source: ProverSource): Promise<number> {
  const { service_id: id } = await user.createService(`built-${++services}`);
  const archive = await source.archive();
  await sendSource(user, archive);
  const seconds = await secondsOf(async () => {
    const { build_id } = await createBuild(user, id, archive, { deploy: true });
    const build = await until("the build has ended", () => ended(user, build_id), WITHIN);
    if (build.phase !== "succeeded" || build.reused_from !== null) throw new Error(JSON.stringify(build));
    await until("the service is Ready", async () => (await user.service(id)).state === "Ready" || undefined, WITHIN);
  });
  // It would hold a slot.
  await user.deleteServices();
  return seconds;
}

async function ended(user: ApiClient, buildId: string): Promise<BuildRecord | undefined> {
  const build = (await user.call(`/v1/builds/${buildId}`)).json as BuildRecord;
  return build.phase === "queued" || build.phase === "running" ? undefined : build;
}

async function secondsOf(act: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await act();
  return (performance.now() - began) / 1000;
}

/** How long a source takes to become a service that is Ready, and how long cargo alone takes on the same machine. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { until } from "@elastic/deploy/local/until.ts";
import type { ApiClient } from "@elastic/test/cluster/api-client.ts";
import { type BuildRecord, buildLog, createBuild, sendSource } from "@elastic/test/cluster/build-source.ts";
import type { BuildCluster } from "./build-cluster.ts";
import { runCargo } from "./cargo.ts";
import type { ProverSource } from "./prover-source.ts";

export const CACHES = ["cold", "warm", "edited"] as const;
export type Cache = (typeof CACHES)[number];
export type Seconds = Readonly<Record<Cache, number>>;

const LOG_CHARACTERS_SHOWN = 4_000;
const WITHIN = { timeoutMs: 30 * 60_000, everyMs: 50 };

/** Measures both in turns, each round with a team that is new. */
export async function measureDeploys(
  {
    builders,
    source,
    rounds,
  }: { readonly builders: BuildCluster; readonly source: ProverSource; readonly rounds: number },
  log: (text: string) => void,
): Promise<{ readonly ours: readonly Seconds[]; readonly cargo: readonly Seconds[] }> {
  const ours: Seconds[] = [];
  const cargo: Seconds[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    const logTime = (who: string) => (what: Cache, seconds: number) =>
      log(`round ${round}/${rounds}  ${who}, ${what}: ${seconds.toFixed(1)} s`);
    const turns = [
      async () => void ours.push(await ourSeconds(await builders.newTeam(), source, logTime("elastic"))),
      async () => void cargo.push(await cargoSeconds(source, logTime("cargo"))),
    ];
    // Every other round goes backwards: nobody always comes after the same one.
    for (const turn of round % 2 === 1 ? turns : turns.toReversed()) await turn();
  }
  return { ours, cargo };
}

/** From the request for the build, its source sent, to Ready; each of another service, so that no image is reused. */
function ourSeconds(user: ApiClient, source: ProverSource, logTime: LogTime): Promise<Seconds> {
  return ofEach(source, () => deployed(user, source), logTime);
}

/** Of a build with an empty target folder, once more, and after the edit. */
function cargoSeconds(source: ProverSource, logTime: LogTime): Promise<Seconds> {
  rmSync(join(source.folder, "target"), { recursive: true, force: true });
  return ofEach(source, () => secondsOf(() => runCargo(source.folder, source.cargoArgs)), logTime);
}

type LogTime = (what: Cache, seconds: number) => void;

async function ofEach(source: ProverSource, built: () => Promise<number>, logTime: LogTime): Promise<Seconds> {
  const seconds = { cold: 0, warm: 0, edited: 0 };
  for (const cache of CACHES) {
    if (cache === "edited") source.edit();
    seconds[cache] = await built();
    logTime(cache, seconds[cache]);
  }
  return seconds;
}

let services = 0;

async function deployed(user: ApiClient, source: ProverSource): Promise<number> {
  const { service_id: id } = await user.createService(`built-${++services}`);
  const archive = await source.archive();
  await sendSource(user, archive);
  const seconds = await secondsOf(async () => {
    const { build_id } = await createBuild(user, id, archive, { deploy: true });
    const build = await until("the build has ended", () => ended(user, build_id), WITHIN);
    if (build.phase !== "succeeded" || build.reused_from !== null) {
      throw new Error(`${JSON.stringify(build)}\n${(await buildLog(user, build_id)).slice(-LOG_CHARACTERS_SHOWN)}`);
    }
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

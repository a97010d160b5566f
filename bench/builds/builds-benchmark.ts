/**
 * How long a source takes to become a service that is Ready, compared with cargo on the same machine; and what builds that
 * take all they can do to proofs on their machine.
 */
import { availableParallelism, loadavg, totalmem } from "node:os";
import manifest from "@elastic/coordinator/package.json" with { type: "json" };
import { makeWorkFolder } from "@elastic/test/cluster/work-folder.ts";
import type { Benchmark, Effort, Outcome } from "../benchmark/benchmark.ts";
import { startBuildCluster } from "./build-cluster.ts";
import { cargoVersion } from "./cargo.ts";
import { measureDeploys } from "./deploy-times.ts";
import { KINDS } from "./hostile-builds.ts";
import { measureProofs, PROOFS_PER_SECOND } from "./proof-times.ts";
import { proverSource } from "./prover-source.ts";
import { rowsOf } from "./rows.ts";

/** Of a build's memory, and what etcd, coordinator, agent, engine and registry take in addition. */
const MEMORY_BYTES_MIN = (KINDS.length * 4 + 2) * 1024 ** 3;

const NOTES = [
  "Everything runs on this one machine: etcd, coordinator, agent, engine, registry and the builds share its cores and its disk.",
  "Build and deploy: from `POST …/builds` with `deploy`, the source sent before, to the service's state Ready, of the template repository, with its own profile and Dockerfile; its crates are in the base image, so neither side downloads any. It includes the pull of the base image where the cache is cold, the sandbox, cargo, the layers' compression, the push, the engine's pull and the start of the prover; cargo's own figure is cargo alone.",
  "Cold: a team that has built nothing. Warm: the same source for another service of the team, so that layers are reused and the image is made and pushed again. Edited: one line of the program.",
  `Next to hostile builds: ${KINDS.join(", ")}, one of each at any time, each of another team; each that ends at a limit is followed by the next one. Proofs of \`builtin:poseidon\`, from their creation to their end.`,
];

export const buildsBenchmark: Benchmark = {
  name: "builds",
  describes: "from a source to a service that is Ready, compared with cargo alone, and proofs next to hostile builds",
  needs: ["etcd", "demo-prover", "cargo", "engine", "builder"],
  effort: { rounds: 3, seconds: 30 },
  missing: () =>
    totalmem() < MEMORY_BYTES_MIN
      ? `Builds of ${KINDS.length} teams at a time take ${MEMORY_BYTES_MIN / 1024 ** 3} GiB of memory`
      : undefined,
  run,
};

async function run(effort: Effort, log: (text: string) => void): Promise<Outcome> {
  const load = loadavg().map((one) => one.toFixed(1));
  await using running = new AsyncDisposableStack();
  const folder = running.use(makeWorkFolder());
  log("Starting etcd, coordinator, agent, engine and registry, and pushing base images");
  const builders = running.use(await startBuildCluster(KINDS.length));
  const source = proverSource(folder.path);
  const deploys = await measureDeploys({ builders, source, rounds: effort.rounds }, log);
  const proofs = await measureProofs({ builders, ...effort }, log);
  const { bytes } = await source.archive();
  const rows = rowsOf({
    cores: availableParallelism(),
    sourceKibibytes: bytes.length / 1024,
    ...deploys,
    proofsPerSecond: PROOFS_PER_SECOND,
    ...proofs,
  });
  const busy = `Load averages of the machine when it began (1, 5 and 15 minutes): ${load.join(", ")}.`;
  const versions = { node: process.versions.node, elastic: manifest.version, cargo: await cargoVersion() };
  return { versions, notes: [...NOTES, busy], rows };
}

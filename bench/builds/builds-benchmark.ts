/**
 * How long a source takes to become a service that is Ready, beside cargo on the same machine; and what builds that
 * take all they can do to proofs on their machine.
 */
import { availableParallelism, loadavg, totalmem } from "node:os";
import { join } from "node:path";
import manifest from "@elastic/coordinator/package.json" with { type: "json" };
import { makeWorkFolder } from "@elastic/test/cluster/work-folder.ts";
import { INPUT } from "@elastic/test/system/statement.ts";
import type { Benchmark, Effort, Outcome } from "../benchmark.ts";
import { startLoadProcess } from "../measure/load-process.ts";
import { percentile } from "../measure/statistics.ts";
import type { ElasticLoadSettings } from "../service/elastic-load.ts";
import { startBuildCluster } from "./build-cluster.ts";
import { cargoVersion } from "./cargo.ts";
import { CACHES, cargoSeconds, ourSeconds, type Seconds } from "./deploy-times.ts";
import { KINDS, startHostileBuilds } from "./hostile-builds.ts";
import { proverSource } from "./prover-source.ts";
import { rowsOf } from "./rows.ts";

const PROOFS_PER_SECOND = 1;
const WARM_UP_SECONDS = 3;
/** Of a build's memory, and what etcd, coordinator, agent, engine and registry take beside them. */
const MEMORY_BYTES_MIN = (KINDS.length * 4 + 2) * 1024 ** 3;

const NOTES = [
  "Everything runs on this one machine: etcd, coordinator, agent, engine, registry and the builds share its cores and its disk.",
  "Build and deploy: from `POST …/builds` with `deploy`, the source sent before, to the service's state Ready, of a program that links elastic-sdk with its crates vendored. In it lie the pull of the base image where the cache is cold, the sandbox, cargo, the layers' compression, the push, the engine's pull and the start of the prover; cargo's own figure is cargo alone.",
  "Cold: a team that has built nothing. Warm: the same source for another service of the team, so that layers are reused and the image is made and pushed again. Edited: one line of the program.",
  `Beside hostile builds: ${KINDS.join(", ")}, one of each at any time, each of another team; each that ends at a limit is followed by the next one. Proofs of \`builtin:poseidon\`, from their creation to their end.`,
];

export const buildsBenchmark: Benchmark = {
  name: "builds",
  describes: "from a source to a service that is Ready, beside cargo alone, and proofs beside hostile builds",
  needs: ["etcd", "demo-prover", "cargo", "engine", "builder"],
  effort: { rounds: 3, seconds: 30 },
  missing: () =>
    totalmem() < MEMORY_BYTES_MIN
      ? `Builds of ${KINDS.length} teams at a time take ${MEMORY_BYTES_MIN / 1024 ** 3} GiB of memory`
      : undefined,
  run,
};

async function run(effort: Effort, tell: (text: string) => void): Promise<Outcome> {
  const load = loadavg().map((one) => one.toFixed(1));
  await using running = new AsyncDisposableStack();
  const folder = running.use(makeWorkFolder());
  tell("Starting etcd, coordinator, agent, engine and registry, and pushing base images");
  const builders = running.use(await startBuildCluster(KINDS.length));
  const source = await proverSource(folder.path);
  const ours: Seconds[] = [];
  const cargo: Seconds[] = [];
  for (let round = 1; round <= effort.rounds; round += 1) {
    const turns = [
      async () => void ours.push(await ourSeconds(await builders.newTeam(), source)),
      async () => void cargo.push(await cargoSeconds(source)),
    ];
    // Every other round goes backwards: nobody always comes after the same one.
    for (const turn of round % 2 === 1 ? turns : turns.toReversed()) await turn();
    for (const [name, seconds] of [
      ["elastic", ours.at(-1)],
      ["cargo", cargo.at(-1)],
    ] as const) {
      const told = CACHES.map((cache) => `${cache} ${seconds?.[cache].toFixed(1)} s`);
      tell(`round ${round}/${effort.rounds}  ${name}: ${told.join(", ")}`);
    }
  }
  const { bytes } = await source.archive();

  const client = builders.cluster.client();
  const service = await client.readyService("proofs", { image: "builtin:poseidon" });
  const { url, key } = client;
  const settings: ElasticLoadSettings = { url, key, serviceId: service.service_id, input: JSON.parse(INPUT) };
  const proofs = await startLoadProcess(join(import.meta.dirname, "..", "service", "elastic-load.ts"), settings);
  running.defer(() => proofs.stop());
  const timed = async (seconds: number) =>
    (await proofs.run({ kind: "rate", what: "proof", perSecond: PROOFS_PER_SECOND, seconds })).doneMs;
  const teams = await Promise.all(KINDS.map(() => builders.newTeam()));
  await timed(WARM_UP_SECONDS);
  const alone: (readonly number[])[] = [];
  const beside: (readonly number[])[] = [];
  for (let round = 1; round <= effort.rounds; round += 1) {
    const turns = [
      async () => void alone.push(await timed(effort.seconds)),
      async () => {
        const hostile = await startHostileBuilds(teams);
        try {
          beside.push(await timed(effort.seconds));
        } finally {
          await hostile.stop();
        }
      },
    ];
    for (const turn of round % 2 === 1 ? turns : turns.toReversed()) await turn();
    const [p95, p95Beside] = [alone, beside].map((rounds) => Math.round(percentile(rounds.at(-1) ?? [], 0.95)));
    tell(`round ${round}/${effort.rounds}  proofs, p95: ${p95} ms alone, ${p95Beside} ms beside hostile builds`);
  }
  const rows = rowsOf({
    cores: availableParallelism(),
    sourceMebibytes: bytes.length / 1024 ** 2,
    ours,
    cargo,
    proofsPerSecond: PROOFS_PER_SECOND,
    alone,
    beside,
  });
  const busy = `Load averages of the machine when it began (1, 5 and 15 minutes): ${load.join(", ")}.`;
  const versions = { node: process.versions.node, elastic: manifest.version, cargo: await cargoVersion() };
  return { versions, notes: [...NOTES, busy], rows };
}

/** How long proofs take on a machine that builds nothing, and on one that builds what harms it most, in turns. */
import { join } from "node:path";
import { INPUT } from "@elastic/test/system/statement.ts";
import { startLoadProcess } from "../measure/load-process.ts";
import { percentile } from "../measure/statistics.ts";
import type { ElasticLoadSettings } from "../service/elastic-load.ts";
import type { BuildCluster } from "./build-cluster.ts";
import { KINDS, startHostileBuilds } from "./hostile-builds.ts";

export const PROOFS_PER_SECOND = 1;
const WARM_UP_SECONDS = 3;

/** Milliseconds from the creation of each proof to its end, by round. */
export interface ProofTimes {
  readonly alone: readonly (readonly number[])[];
  readonly disturbed: readonly (readonly number[])[];
}

interface Place {
  readonly builders: BuildCluster;
  readonly rounds: number;
  readonly seconds: number;
}

export async function measureProofs(
  { builders, rounds, seconds }: Place,
  log: (text: string) => void,
): Promise<ProofTimes> {
  const client = builders.cluster.client();
  const { service_id: serviceId } = await client.readyService("proofs", { image: "builtin:poseidon" });
  const settings: ElasticLoadSettings = { url: client.url, key: client.key, serviceId, input: JSON.parse(INPUT) };
  const load = await startLoadProcess(join(import.meta.dirname, "..", "service", "elastic-load.ts"), settings);
  const timed = async (forSeconds: number) =>
    (await load.run({ kind: "rate", what: "proof", perSecond: PROOFS_PER_SECOND, seconds: forSeconds })).doneMs;
  try {
    const teams = await Promise.all(KINDS.map(() => builders.newTeam()));
    await timed(WARM_UP_SECONDS);
    const times = { alone: [] as number[][], disturbed: [] as number[][] };
    const besideBuilds = async () => {
      const hostile = await startHostileBuilds(teams);
      try {
        times.disturbed.push([...(await timed(seconds))]);
      } finally {
        await hostile.stop();
      }
    };
    for (let round = 1; round <= rounds; round += 1) {
      const turns = [async () => void times.alone.push([...(await timed(seconds))]), besideBuilds];
      for (const turn of round % 2 === 1 ? turns : turns.toReversed()) await turn();
      const [alone, disturbed] = [times.alone, times.disturbed].map((all) =>
        Math.round(percentile(all.at(-1) ?? [], 0.95)),
      );
      log(`round ${round}/${rounds}  proofs, p95: ${alone} ms alone, ${disturbed} ms next to hostile builds`);
    }
    return times;
  } finally {
    await load.stop();
  }
}

/** How long a fleet takes to recover from the death of a part, compared with the least that its leases and fences permit. */
import { availableParallelism, loadavg } from "node:os";
import { FENCE_AFTER_MS } from "@elastic/coordinator/domain/link-liveness.ts";
import manifest from "@elastic/coordinator/package.json" with { type: "json" };
import { LEASE_MS } from "@elastic/coordinator/store/leadership.ts";
import { startCluster } from "@elastic/test/cluster/cluster.ts";
import type { Benchmark, Effort, Outcome } from "../benchmark/benchmark.ts";
import { lessIsBetter, type Row } from "../benchmark/row.ts";
import { median } from "../measure/statistics.ts";
import { DEATHS, type Death, measureDeaths } from "./dead-agents.ts";
import { measureTakeovers } from "./takeovers.ts";

const FENCE_S = FENCE_AFTER_MS / 1000;
const LEASE_S = LEASE_MS / 1000;
/** Kills of a coordinator for each death of an agent, which takes longer. */
const KILLS_A_DEATH = 10;
const TAKEOVER_GOAL_S = 5;
/** After the fence, which counts from the last heartbeat that was acknowledged. */
const DEATH_GOALS_S: Readonly<Record<Death, number>> = { killed: FENCE_S + 2, frozen: FENCE_S + 5 };

const NOTES = [
  "Everything runs on this one machine: etcd, coordinators, agent and client share its cores.",
  "Leader killed: SIGKILL of the coordinator that leads, one of two, each time; until a task that is created at the other one at that moment has succeeded. The longest of all. Its peer is the lease that has to end first.",
  "Agent killed or frozen: SIGKILL or SIGSTOP; until the task that ran there is queued again. The longest of all. Its peer is the agent's fence, 12 s from its last heartbeat that was acknowledged, which may be three seconds before the death: work is never given away before it.",
];

export const recoveryBenchmark: Benchmark = {
  name: "recovery",
  describes: "how long a fleet takes to recover from a killed leader and from a dead agent",
  needs: ["etcd", "demo-prover", "postgres"],
  effort: { rounds: 50, seconds: 1 },
  run,
};

async function run({ rounds }: Effort, log: (text: string) => void): Promise<Outcome> {
  const load = loadavg().map((one) => one.toFixed(1));
  await using cluster = await startCluster({ coordinators: 2, agents: 1 });
  const takeovers = await measureTakeovers(cluster, rounds, log);
  const rows: Row[] = [
    row(
      `${rounds} kills`,
      "leader killed: until a task succeeds",
      takeovers.seconds,
      LEASE_S,
      TAKEOVER_GOAL_S,
      "the leader's lease",
    ),
  ];
  const deaths = Math.ceil(rounds / KILLS_A_DEATH);
  const notes = [...NOTES];
  for (const death of DEATHS) {
    const seconds = await measureDeaths(cluster, { death, rounds: deaths }, log);
    rows.push(
      row(
        `${deaths} deaths`,
        `agent ${death}: until its task is queued`,
        seconds,
        FENCE_S,
        DEATH_GOALS_S[death],
        "the fence",
      ),
    );
    notes.push(
      `Agent ${death}: the shortest ${Math.min(...seconds).toFixed(1)} s, the median ${median(seconds).toFixed(1)} s.`,
    );
  }
  notes.push(
    `Leader killed: the median ${median(takeovers.seconds).toFixed(2)} s. A proof that ran all the while needed ${takeovers.attempts} attempt(s).`,
    `Load averages of the machine when it began (1, 5 and 15 minutes): ${load.join(", ")}.`,
  );
  return { versions: { node: process.versions.node, elastic: manifest.version }, notes, rows };
}

function row(
  size: string,
  name: string,
  seconds: readonly number[],
  peer: number,
  goalS: number,
  peerName: string,
): Row {
  const ours = Math.max(...seconds);
  return lessIsBetter({
    name,
    size,
    threads: availableParallelism(),
    unit: "s",
    ours,
    peer,
    peer_name: peerName,
    goal: peer / goalS,
  });
}

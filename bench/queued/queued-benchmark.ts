/** What a million tasks that wait cost: memory, a restart, a take-over, and what other teams notice of them. */
import { loadavg } from "node:os";
import manifest from "@elastic/coordinator/package.json" with { type: "json" };
import type { Benchmark, Effort, Outcome } from "../benchmark/benchmark.ts";
import type { Row } from "../benchmark/row.ts";
import { CANCELLED_AT_ONCE, CANCELS, CREATES, measureBacklog, PAGE } from "./measure-backlog.ts";
import { noteOf, rowsOf } from "./rows.ts";

/** Of each round, so that all of them are a million. */
const TASKS_A_ROUND = 20_000;
const SERVICES = [1, 10] as const;

const NOTES = [
  "Everything runs on this one machine: etcd, PostgreSQL, two coordinators, an agent and the clients share its cores.",
  "The tasks wait in services that nothing serves, each with an input of 100 bytes, and are written to etcd as their creations would have written them; both coordinators follow that.",
  `Another team's create: ${CREATES} tasks that do nothing, one after the other, at the coordinator that leads; idle is the same in the same cluster before the others are there.`,
  "Restart: of the coordinator that does not lead, from its start to READY. Take-over: SIGKILL of the one that leads, until a task that is then created at the other has succeeded, the leader's lease included.",
  `Lists: pages of ${PAGE} of the full service, the newest, and from its middle on. Cancel: ${CANCELS} requests of ${CANCELLED_AT_ONCE} each by its service, one after the other.`,
];

export const queuedBenchmark: Benchmark = {
  name: "queued",
  describes: "what a million tasks that wait cost in memory, at restarts and take-overs, and of other teams' time",
  needs: ["etcd", "demo-prover", "postgres"],
  effort: { rounds: 50, seconds: 1 },
  run,
};

async function run({ rounds }: Effort, log: (text: string) => void): Promise<Outcome> {
  const load = loadavg().map((one) => one.toFixed(1));
  const tasks = rounds * TASKS_A_ROUND;
  const rows: Row[] = [];
  const notes = [...NOTES];
  for (const services of SERVICES) {
    const size = { tasks, services };
    const backlog = await measureBacklog(size, (text) => log(`${services} services: ${text}`));
    rows.push(...rowsOf(size, backlog));
    notes.push(noteOf(size, backlog));
  }
  notes.push(`Load averages of the machine when it began (1, 5 and 15 minutes): ${load.join(", ")}.`);
  return { versions: { node: process.versions.node, elastic: manifest.version }, notes, rows };
}

/** How many agents a coordinator serves: what their links cost it, and how they come back after it was killed. */
import { readFileSync } from "node:fs";
import { loadavg } from "node:os";
import { join } from "node:path";
import manifest from "@elastic/coordinator/package.json" with { type: "json" };
import { CLOCKS_PREFIX } from "@elastic/coordinator/store/keys.ts";
import { openDevCa } from "@elastic/deploy/dev-ca.ts";
import { until } from "@elastic/deploy/local/until.ts";
import { type Cluster, startCluster } from "@elastic/test/cluster/cluster.ts";
import type { Coordinator } from "@elastic/test/cluster/coordinator.ts";
import { keysWrittenAfter, revisionOf, writesUnder } from "@elastic/test/cluster/etcd-requests.ts";
import { makeWorkFolder } from "@elastic/test/cluster/work-folder.ts";
import type { Benchmark, Effort, Outcome } from "../benchmark/benchmark.ts";
import type { Row } from "../benchmark/row.ts";
import { startBareServer } from "./bare-server.ts";
import { type Linking, measureAtRest, measureReturn, type Server, untilLinked } from "./measure-links.ts";
import { costOf } from "./process-cost.ts";
import { type Fleet, type Measured, rowsOf } from "./rows.ts";
import { type SimulatedAgents, startSimulatedAgents } from "./simulated-agents.ts";

const AGENTS = 1_000;
/** Of a trial. */
const AGENTS_FEW = 50;
const FULL = { rounds: 1, seconds: 20 };

const NOTES = [
  "Everything runs on this one machine: etcd, coordinators and the process of the agents share its cores.",
  "The agents are simulated in one process: the links of the agent itself, each with its own certificate and its own connection to each coordinator, and no machine behind them. A heartbeat every 3 s over each link.",
  "The bare server is the library alone (grpc-js, mutual TLS, the same messages), with the same agents, in the same run: it acknowledges hellos and heartbeats.",
  "Memory for each link is what the process has grown by since before the agents came. CPU and round trips are over so many seconds as there are, of the coordinator that leads.",
  "Writes to etcd are its transactions that wrote anything, without those by which coordinators compare their clocks (one in ten seconds from each).",
  "Killed: SIGKILL of the coordinator that leads and a start again; from when it listens, until every agent has a link to it.",
];

export const fleetBenchmark: Benchmark = {
  name: "fleet",
  describes: `what ${AGENTS} agents cost a coordinator, and how they come back after it was killed`,
  needs: ["etcd", "demo-prover", "postgres"],
  effort: FULL,
  run,
};

async function run({ seconds }: Effort, log: (text: string) => void): Promise<Outcome> {
  const load = loadavg().map((one) => one.toFixed(1));
  const agents = seconds < FULL.seconds ? AGENTS_FEW : AGENTS;
  const rows: Row[] = [];
  const notes = [...NOTES];
  const bare = await measureBare(agents, seconds, log);
  for (const coordinators of [1, 2]) {
    await using cluster = await startCluster({ coordinators, agents: 0 });
    const fleet = await measureFleet(cluster, agents, seconds, log);
    rows.push(...rowsOf(fleet, bare));
    const { writes, lost, back, first, written } = fleet;
    notes.push(
      `${agents} agents, ${coordinators} coordinator(s): writes to etcd at rest ${writes.atRest} (keys: ${namesOf(written)}), while all came back ${writes.back}; nodes lost while they linked for the first time ${lost.first}, while they came back ${lost.back}, agents that abandoned their work meanwhile ${back.fenced}. ${cpuNote("First links", first)}; ${cpuNote("back", back)}.`,
    );
  }
  notes.push(`Load averages of the machine when it began (1, 5 and 15 minutes): ${load.join(", ")}.`);
  return { versions: { node: process.versions.node, elastic: manifest.version }, notes, rows };
}

/** Without those by which coordinators compare their clocks, every ten seconds however many agents there are. */
async function writesOf(endpoint: string): Promise<number> {
  return (await revisionOf(endpoint)) - (await writesUnder(endpoint, CLOCKS_PREFIX));
}

/** Keys by kind. */
function namesOf(keys: readonly string[]): string {
  return [...new Set(keys.map((key) => key.split("/").slice(0, -1).join("/")))].join(", ") || "none";
}

function cpuNote(what: string, { seconds, cpuSeconds }: Linking): string {
  return `${what}: ${((100 * cpuSeconds) / seconds).toFixed(0)} % of a core`;
}

async function measureBare(agents: number, seconds: number, log: (text: string) => void): Promise<Measured> {
  using folder = makeWorkFolder();
  await using server = await startBareServer(folder.path, openDevCa(join(folder.path, "ca")).coordinator());
  const { measured, simulated } = await measure(folder.path, [server], { agents, seconds });
  const back = await measureReturn(simulated, server, agents);
  await simulated.stop();
  log(`bare: ${JSON.stringify({ ...measured, back })}`);
  return { ...measured, back };
}

async function measureFleet(
  cluster: Cluster,
  agents: number,
  seconds: number,
  log: (text: string) => void,
): Promise<Fleet> {
  const leader = await leaderOf(cluster);
  const servers = [leader, ...cluster.coordinators.filter((one) => one !== leader)];
  const { endpoint } = cluster.etcd;
  const revisions: number[] = [];
  let written: readonly string[] = [];
  let rested = 0;
  const { measured, simulated } = await measure(cluster.folder, servers, {
    agents,
    seconds,
    onRest: async () => {
      const [before] = revisions;
      if (before !== undefined) written = await keysWrittenAfter(endpoint, rested);
      rested = await revisionOf(endpoint);
      revisions.push(await writesOf(endpoint));
    },
  });
  const lostBefore = lostNodes(cluster);
  const back = await measureReturn(simulated, leader, agents);
  const after = await writesOf(endpoint);
  const lost = { first: lostBefore, back: lostNodes(cluster) - lostBefore };
  await simulated.stop();
  const [before = 0, atRest = 0] = revisions;
  const writes = { atRest: atRest - before, back: after - atRest };
  log(`written at rest: ${written.join(", ") || "nothing"}`);
  log(`${servers.length} coordinator(s): ${JSON.stringify({ ...measured, back, writes, lost })}`);
  return { ...measured, back, writes, lost, written, coordinators: servers.length, agents };
}

interface Fleetful {
  readonly agents: number;
  readonly seconds: number;
  /** As the time at rest begins, and as it ends. */
  readonly onRest?: () => Promise<void>;
}

/** Of the first of the servers. */
async function measure(
  folder: string,
  servers: readonly Server[],
  { agents, seconds, onRest }: Fleetful,
): Promise<{ readonly measured: Omit<Measured, "back">; readonly simulated: SimulatedAgents }> {
  const [first] = servers;
  if (first === undefined) throw new Error("there is no server");
  const ca = openDevCa(join(folder, "ca"));
  const memoryBeforeBytes = costOf(first.child().pid).memoryBytes;
  const simulated = await startSimulatedAgents({
    addresses: servers.map(({ grpc }) => grpc),
    agents: Array.from({ length: agents }, (_, n) => ({ nodeId: `node-${n}`, files: ca.node(`node-${n}`) })),
  });
  const linking = await untilLinked(simulated, servers, agents);
  const [rest] = await measureAtRest(simulated, servers, seconds, onRest);
  if (rest === undefined) throw new Error("nothing was measured");
  return { measured: { memoryBeforeBytes, first: linking, rest }, simulated };
}

/** As the coordinators have logged it: the nodes may be ready again. */
function lostNodes({ folder, coordinators }: Cluster): number {
  const logs = coordinators.map(({ name }) => readFileSync(join(folder, `${name}.log`), "utf8"));
  return logs.reduce((lost, text) => lost + (text.match(/"a node is lost"/g)?.length ?? 0), 0);
}

async function leaderOf({ coordinators }: Cluster): Promise<Coordinator> {
  return await until(
    "a leader",
    async () => {
      for (const coordinator of coordinators) {
        const text = await (await fetch(coordinator.metricsUrl)).text();
        if (/^elastic_scheduler_leader 1$/m.test(text)) return coordinator;
      }
      return undefined;
    },
    { timeoutMs: 60_000, everyMs: 100 },
  );
}

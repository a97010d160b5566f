/**
 * etcd as a site runs it, three members with mutual TLS and a user: while its leader fails under load, in each of the
 * ways below, no task is lost and no valid key is rejected. What coordinators cannot serve meanwhile is 503.
 */

import { join } from "node:path";
import { EtcdCredentials } from "@elastic/coordinator/store/etcd/etcd-credentials.ts";
import { readMemberStatus } from "@elastic/coordinator/store/etcd/read-member-status.ts";
import { type SecuredEtcd, startSecuredEtcd } from "@elastic/coordinator/store/testing/secured-etcd.ts";
import { until } from "@elastic/deploy/local/until.ts";
import { newId } from "@elastic/std/ids.ts";
import { createLog } from "@elastic/std/log.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startAgent } from "../cluster/agent.ts";
import { type ApiClient, apiClient, type TaskRecord } from "../cluster/api-client.ts";
import { makeCertificates } from "../cluster/certificates.ts";
import { startCoordinator } from "../cluster/coordinator.ts";
import { makeFirstKey } from "../cluster/first-key.ts";
import type { Part } from "../cluster/part.ts";
import { startPostgres } from "../cluster/postgres.ts";
import { slowDown } from "../cluster/slow-disk.ts";
import { makeWorkFolder } from "../cluster/work-folder.ts";
import { startReader } from "./availability.ts";

const CALLERS = 20;
const UNAVAILABLE = 503;
/** An election takes up to two seconds, and a frozen leader is left after two; the rest is for a busy machine. */
const GAP_MS_MAX = 5_000;
const CALL_TIMEOUT_MS = 20_000;
const END_TIMEOUT_MS = 90_000;
const ELECTION_TIMEOUT_MS = 30_000;

const log = createLog({ name: "test", level: "silent" });

/** Each of its writes is durable that much later. */
const SLOW_DISK_MS = 300;

interface Fault {
  begin(leader: Part<void>): Promise<unknown>;
  end(leader: Part<void>): unknown;
  /** Whether the member may continue to lead. */
  readonly keepsLeader?: true;
}

function isolation(): Fault {
  const peers = () => etcd.cluster.peers;
  return { begin: async (leader) => peers()?.isolate(leader.name), end: () => peers()?.heal() };
}

function slowDisk(): Fault {
  let slow: AsyncDisposable | undefined;
  return {
    keepsLeader: true,
    async begin(leader) {
      const logFile = join(etcd.cluster.folder, "strace.log");
      slow = await slowDown(leader.child(), { delayMs: SLOW_DISK_MS, logFile });
    },
    end: () => slow?.[Symbol.asyncDispose](),
  };
}

const FAULTS: Readonly<Record<string, Fault>> = {
  "killed with SIGKILL": { begin: (leader) => leader.kill(), end: (leader) => leader.start() },
  "stopped with SIGTERM": { begin: (leader) => leader.stop(), end: (leader) => leader.start() },
  frozen: { begin: (leader) => leader.pause(), end: (leader) => leader.resume() },
  "cut off from the other members": isolation(),
  "on a slow disk": slowDisk(),
};

const parts = new AsyncDisposableStack();
let etcd: SecuredEtcd;
let clients: readonly ApiClient[];

beforeAll(async () => {
  etcd = parts.use(await startSecuredEtcd({ canIsolate: true }));
  const folder = parts.use(makeWorkFolder()).path;
  const archive = parts.use(await startPostgres()).newDatabase();
  const ca = makeCertificates(folder);
  const { access, cluster } = etcd;
  const firstKey = await makeFirstKey({ endpoints: cluster.endpoints, access }, { user: "tester", team: "research" });
  const settings = {
    ELASTIC_ETCD_CA: access.files.ca,
    ELASTIC_ETCD_CERT: access.files.cert,
    ELASTIC_ETCD_KEY: access.files.key,
    ELASTIC_ETCD_USER: access.user ?? "",
    ELASTIC_ETCD_PASSWORD_FILE: access.files.passwordFile,
    ELASTIC_ARCHIVE: archive,
    ELASTIC_BUILTIN_TEST_PROVERS: "1",
    ELASTIC_RATE_KEY_READS: "100000",
    ELASTIC_RATE_KEY_WRITES: "100000",
  };
  const coordinators = [];
  for (const name of ["coordinator-1", "coordinator-2"]) {
    const at = { name, folder, etcd: cluster.endpoints, tls: ca.coordinator(), registryHost: null, settings };
    coordinators.push(parts.use(await startCoordinator(at)));
  }
  const nodeId = newId(Date.now());
  const agent = await startAgent({
    name: "agent-1",
    nodeId,
    folder,
    coordinators: coordinators.map(({ grpc }) => grpc),
    tls: ca.node(nodeId),
    engineSocket: null,
    settings: { ELASTIC_BUILTIN_TEST_PROVERS: "1" },
  });
  parts.use(agent);
  await agent.linked();
  clients = coordinators.map(({ url }) => apiClient({ url, key: firstKey.key }));
}, 180_000);
afterAll(() => parts.disposeAsync(), 60_000);

test.each(Object.entries(FAULTS))(
  "while the leader of etcd is %s no task is lost, and no valid key is rejected",
  async (name, { begin, end, keepsLeader = false }) => {
    const [client] = clients;
    if (client === undefined) throw new Error("there are two coordinators");
    const { service_id: echo } = await client.readyService(`echo-${newId(Date.now())}`, { image: "builtin:echo" });
    const readers = clients.map(startReader);
    const stopping = new AbortController();
    const callers = Array.from({ length: CALLERS }, () => postUntil(stopping.signal, client, echo));
    const leader = await leaderOf(etcd);
    await begin(leader);
    await Promise.all(readers.map((reader) => reader.servedAgain()));
    if (!keepsLeader) expect(await leaderOf(etcd)).not.toBe(leader);
    await end(leader);
    await Promise.all(readers.map((reader) => reader.servedAgain()));
    stopping.abort();
    const tasks = (await Promise.all(callers)).flat();
    expect(tasks.filter(({ state }) => state !== "SUCCESS")).toEqual([]);
    const reads = await Promise.all(readers.map((reader) => reader.stop()));
    for (const { statuses, longestGapMs } of reads) {
      expect([...statuses].filter((status) => status !== UNAVAILABLE)).toEqual([]);
      expect(longestGapMs).toBeLessThan(GAP_MS_MAX);
    }
    await client.deleteServices();
    const gaps = reads.map(({ longestGapMs }) => `${Math.round(longestGapMs)} ms`).join(" and ");
    process.stdout.write(`leader of etcd ${name}: ${tasks.length} tasks succeeded; without a served read: ${gaps}\n`);
  },
);

/** Posts tasks and waits for their ends, one after the other. A task that was acknowledged is read to its end. */
async function postUntil(signal: AbortSignal, client: ApiClient, serviceId: string): Promise<readonly TaskRecord[]> {
  const ended: TaskRecord[] = [];
  while (!signal.aborted) {
    const { status, json } = await client.call(`/v1/services/${serviceId}`, {
      method: "POST",
      body: '{"input":1}',
      headers: { "content-type": "application/json" },
      timeoutMs: CALL_TIMEOUT_MS,
    });
    if (status === UNAVAILABLE) continue;
    expect(status).toBe(201);
    const { task_id: taskId } = json as TaskRecord;
    ended.push(await until("the end of a task", () => endOf(client, taskId), { timeoutMs: END_TIMEOUT_MS }));
  }
  return ended;
}

async function endOf(client: ApiClient, taskId: string): Promise<TaskRecord | undefined> {
  const { status, json } = await client.call(`/v1/tasks/${taskId}?wait=5`, { timeoutMs: CALL_TIMEOUT_MS });
  if (status === UNAVAILABLE) return undefined;
  // Also "not found" is a response, and a wrong one.
  expect(status).toBe(200);
  const task = json as TaskRecord;
  return task.state === "PENDING" ? undefined : task;
}

/** Rejects while there is none. */
async function leaderOf({ cluster, access }: SecuredEtcd): Promise<Part<void>> {
  const tls = new EtcdCredentials({ ...access, log }).tls();
  const look = async () => {
    const states = await Promise.allSettled(cluster.endpoints.map((endpoint) => readMemberStatus(endpoint, tls)));
    const at = states.findIndex((state) => state.status === "fulfilled" && state.value.isLeader);
    return cluster.members[at];
  };
  return await until("a leader of etcd", look, { timeoutMs: ELECTION_TIMEOUT_MS });
}

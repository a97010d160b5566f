/** Three members of etcd without certificates, so that their histories can be read by its JSON interface. */
import { join } from "node:path";
import { etcdEndpoint, etcdProgram, etcdServes, findEtcd } from "@elastic/deploy/local/etcd.ts";
import { freePort } from "@elastic/deploy/local/free-port.ts";
import { until } from "@elastic/deploy/local/until.ts";
import type { Etcd } from "../cluster/etcd.ts";
import { programPath } from "../cluster/machine.ts";
import { startPart } from "../cluster/part.ts";
import { makeWorkFolder } from "../cluster/work-folder.ts";

const NAMES = ["etcd-1", "etcd-2", "etcd-3"];
const START_TIMEOUT_MS = 30_000;

export interface EtcdMembers extends AsyncDisposable {
  readonly first: Etcd;
  readonly all: readonly Etcd[];
  readonly endpoints: readonly string[];
  /** The member that leads. */
  leader(): Promise<Etcd>;
}

export async function startEtcdMembers(): Promise<EtcdMembers> {
  await using starting = new AsyncDisposableStack();
  const folder = starting.use(makeWorkFolder());
  const binary = findEtcd(programPath()).path;
  const peerPorts = new Map<string, number>();
  for (const name of NAMES) peerPorts.set(name, await freePort());
  const all = await Promise.all(
    NAMES.map(async (name): Promise<Etcd> => {
      const ports = { clientPort: await freePort(), peerPort: peerPorts.get(name) ?? 0 };
      const dataDir = join(folder.path, name);
      const logFile = join(folder.path, `${name}.log`);
      const place = { binary, dataDir, logFile, ...ports, cluster: { name, peerPorts } };
      const part = await startPart({
        program: () => ({ ...etcdProgram(place), name }),
        async becomesReady(child) {
          await child.whileRunning((signal) => etcdServes(etcdEndpoint(place), START_TIMEOUT_MS, signal));
          return ports;
        },
      });
      return starting.use({ ...part, endpoint: etcdEndpoint(place), dataDir });
    }),
  );
  const [first] = all;
  if (first === undefined) throw new Error("three members were started");
  const started = starting.move();
  return {
    first,
    all,
    endpoints: all.map(({ endpoint }) => endpoint),
    async leader() {
      const look = async () => {
        const leads = await Promise.all(all.map(({ endpoint }) => isLeader(endpoint)));
        return all[leads.indexOf(true)];
      };
      return await until("a member that leads", look, { timeoutMs: START_TIMEOUT_MS });
    },
    [Symbol.asyncDispose]: () => started.disposeAsync(),
  };
}

/** False of one that is down. */
async function isLeader(endpoint: string): Promise<boolean> {
  const request = { method: "POST", body: "{}", signal: AbortSignal.timeout(1_000) };
  const response = await fetch(`${endpoint}/v3/maintenance/status`, request).catch(() => null);
  if (!response?.ok) return false;
  const { header, leader } = (await response.json()) as { header: { member_id: string }; leader?: string };
  return leader === header.member_id;
}

/** A real etcd of three members for tests, which accepts clients with a certificate only. */
import { join } from "node:path";
import { type DevCa, openDevCa } from "@elastic/deploy/dev-ca.ts";
import { etcdProgram, etcdServes, findEtcd } from "@elastic/deploy/local/etcd.ts";
import { freePort } from "@elastic/deploy/local/free-port.ts";
import { programPath } from "./machine.ts";
import { type Part, startPart } from "./part.ts";
import { type PeerNetwork, startPeerNetwork } from "./peer-network.ts";
import { makeWorkFolder } from "./work-folder.ts";

const NAMES = ["etcd-1", "etcd-2", "etcd-3"];
/** Of a first election, under the load of other suites. */
const START_TIMEOUT_MS = 30_000;

export interface EtcdCluster extends AsyncDisposable {
  /** `https://127.0.0.1:<port>` of each member. */
  readonly endpoints: readonly string[];
  readonly members: readonly Part<void>[];
  /** Of the servers' certificates, and of clients' ones at first. */
  readonly ca: DevCa;
  readonly caFile: string;
  /** Gone with the cluster. */
  readonly folder: string;
  /** From its next start on, a member accepts clients' certificates of the authority in this file only. */
  trustClientsOf(caFile: string): void;
  /** Between its members; null where they reach each other directly. */
  readonly peers: PeerNetwork | null;
}

export interface EtcdClusterOptions {
  /** Whether members can be isolated from each other (peer-network.ts); default false. */
  readonly canIsolate?: boolean;
}

export async function startEtcdCluster({ canIsolate = false }: EtcdClusterOptions = {}): Promise<EtcdCluster> {
  await using starting = new AsyncDisposableStack();
  const folder = starting.use(makeWorkFolder());
  const ca = openDevCa(join(folder.path, "ca"));
  const server = ca.coordinator();
  let clientCa = server.ca;
  const binary = findEtcd(programPath()).path;
  const peerPorts = new Map<string, number>();
  for (const name of NAMES) peerPorts.set(name, await freePort());
  const places = await Promise.all(
    NAMES.map(async (name) => ({ name, clientPort: await freePort(), healthPort: await freePort() })),
  );
  const peers = canIsolate ? starting.use(await startPeerNetwork(folder.path, peerPorts)) : null;
  const peerHosts = peers === null ? {} : { peerHosts: peers.hosts };
  const members = await Promise.all(
    places.map(async ({ name, clientPort, healthPort }) => {
      const member = await startPart<void>({
        program: () => {
          const etcd = etcdProgram({
            binary,
            dataDir: join(folder.path, name),
            clientPort,
            peerPort: peerPorts.get(name) ?? 0,
            logFile: join(folder.path, `${name}.log`),
            cluster: { name, peerPorts, ...peerHosts },
            tls: { cert: server.cert, key: server.key, clientCa, healthPort },
          });
          const program = { ...etcd, name };
          return peers === null ? program : peers.inside(name, program);
        },
        becomesReady: (child) =>
          child.whileRunning((signal) => etcdServes(`http://127.0.0.1:${healthPort}`, START_TIMEOUT_MS, signal)),
      });
      return starting.use(member);
    }),
  );
  const started = starting.move();
  return {
    endpoints: places.map(({ clientPort }) => `https://127.0.0.1:${clientPort}`),
    members,
    ca,
    caFile: server.ca,
    peers,
    folder: folder.path,
    trustClientsOf(caFile) {
      clientCa = caFile;
    },
    [Symbol.asyncDispose]: () => started.disposeAsync(),
  };
}

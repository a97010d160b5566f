/** How the benchmark configures a Temporal server: all of its services in one process, on free ports of this machine. */
import { join } from "node:path";
import { freePort } from "@elastic/deploy/local/free-port.ts";
import { USER } from "./postgres.ts";

export const SHARDS = 4;
export const DATABASES = { default: "temporal", visibility: "temporal_visibility" };

const CONNECTIONS = { default: 20, visibility: 5 };
const SERVICES = ["frontend", "history", "matching", "worker"] as const;
/** Of PostgreSQL: each of the services opens its own. */
export const POSTGRES_CONNECTIONS: number = SERVICES.length * (CONNECTIONS.default + CONNECTIONS.visibility) + 10;

/** None of them is a limit of the design: those of a default installation are for larger clusters than this machine. */
const DYNAMIC_CONFIG = {
  "frontend.rps": 100_000,
  "frontend.namespaceRPS": 100_000,
  "frontend.namespaceCount": 100_000,
  "frontend.persistenceMaxQPS": 100_000,
  "history.rps": 100_000,
  "history.persistenceMaxQPS": 100_000,
  "matching.rps": 100_000,
  "matching.persistenceMaxQPS": 100_000,
  // One machine has no use for several partitions of a queue, between which tasks and polls would be forwarded.
  "matching.numTaskqueueReadPartitions": 1,
  "matching.numTaskqueueWritePartitions": 1,
};

export type Ports = Readonly<Record<(typeof SERVICES)[number], ServicePorts>>;
interface ServicePorts {
  readonly rpc: { readonly grpcPort: number; readonly membershipPort: number; readonly bindOnLocalHost: true };
}

export async function servicePorts(): Promise<Ports> {
  const entries: [string, ServicePorts][] = [];
  for (const service of SERVICES) {
    const rpc = { grpcPort: await freePort(), membershipPort: await freePort(), bindOnLocalHost: true } as const;
    entries.push([service, { rpc }]);
  }
  return Object.fromEntries(entries) as Ports;
}

export function serverConfig(of: {
  readonly datastores: object;
  readonly ports: Ports;
  readonly dynamicFile: string;
}): object {
  const cluster = {
    enabled: true,
    initialFailoverVersion: 1,
    rpcName: "frontend",
    rpcAddress: `127.0.0.1:${of.ports.frontend.rpc.grpcPort}`,
  };
  return {
    log: { stdout: true, level: "warn" },
    persistence: {
      defaultStore: "default",
      visibilityStore: "visibility",
      numHistoryShards: SHARDS,
      datastores: of.datastores,
    },
    global: { membership: { maxJoinDuration: "30s", broadcastAddress: "127.0.0.1" } },
    services: of.ports,
    clusterMetadata: {
      enableGlobalNamespace: false,
      failoverVersionIncrement: 10,
      masterClusterName: "active",
      currentClusterName: "active",
      clusterInformation: { active: cluster },
    },
    dcRedirectionPolicy: { policy: "noop" },
    dynamicConfigClient: { filepath: of.dynamicFile, pollInterval: "60s" },
  };
}

export function dynamicConfig(): object {
  return Object.fromEntries(Object.entries(DYNAMIC_CONFIG).map(([name, value]) => [name, [{ value }]]));
}

/** Each commit is synced: `synchronous` 2 is FULL. */
export function sqliteStores(folder: string): object {
  const sql = {
    pluginName: "sqlite",
    databaseName: join(folder, "temporal.db"),
    connectAddr: "localhost",
    connectProtocol: "tcp",
    connectAttributes: { cache: "private", mode: "rwc", setup: "true", journal_mode: "wal", synchronous: "2" },
    maxConns: 1,
    maxIdleConns: 1,
    maxConnLifetime: "1h",
  };
  return { default: { sql }, visibility: { sql } };
}

export function postgresStores(port: number): object {
  const of = (store: keyof typeof CONNECTIONS): object => ({
    sql: {
      // Of the two drivers the one that prepares statements: the database takes two thirds of the CPU time.
      pluginName: "postgres12_pgx",
      databaseName: DATABASES[store],
      connectAddr: `127.0.0.1:${port}`,
      connectProtocol: "tcp",
      user: USER,
      password: "",
      maxConns: CONNECTIONS[store],
      maxIdleConns: CONNECTIONS[store],
      maxConnLifetime: "1h",
    },
  });
  return { default: of("default"), visibility: of("visibility") };
}

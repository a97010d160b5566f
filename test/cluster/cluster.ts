/**
 * A complete cluster of real processes on the loopback address, gone with the test:
 *
 *   await using cluster = await startCluster({ agents: 2, engine: true });
 *   const service = await cluster.client().readyService("echo", { image: "builtin:echo" });
 *   const task = await cluster.client().prove(service.service_id, `{"n":1}`);
 */
import type { FirstKey } from "@elastic/deploy/local/coordinator.ts";
import { type ImageName, publishImage } from "@elastic/deploy/local/image.ts";
import { removeContainersOf } from "@elastic/deploy/local/node-containers.ts";
import type { Program } from "@elastic/deploy/local/program.ts";
import { newId } from "@elastic/std/ids.ts";
import { type Agent, startAgent } from "./agent.ts";
import { type ApiClient, apiClient } from "./api-client.ts";
import { atOnce } from "./at-once.ts";
import { makeCertificates } from "./certificates.ts";
import { ledgerSetting } from "./checker/execution-lines.ts";
import { type Coordinator, secretsKeyFile, startCoordinator } from "./coordinator.ts";
import { type Engine, startEngine } from "./engine.ts";
import { type Etcd, startEtcd } from "./etcd.ts";
import { makeFirstKey, tokenServiceFor } from "./first-key.ts";
import { type Gateway, startGateway } from "./gateway.ts";
import { detachLoopDevices } from "./loop-devices.ts";
import { startPostgres } from "./postgres.ts";
import { type Registry, startRegistry } from "./registry.ts";
import { makeWorkFolder } from "./work-folder.ts";

/** The builtin noop, echo, sleep and crash exist for tests only. */
const TEST_PROVERS = { ELASTIC_BUILTIN_TEST_PROVERS: "1" };
/** Tests run next to each other, and each waits for its builds. */
const BUILDS_NOT_IDLE = { ELASTIC_BUILD_CPU_WEIGHT: "100" };
/** No test and no benchmark is about them unless it configures them. */
const NO_RATE_LIMITS = {
  ELASTIC_RATE_KEY_READS: "1000000",
  ELASTIC_RATE_KEY_WRITES: "1000000",
  ELASTIC_RATE_TEAM_READS: "1000000",
  ELASTIC_RATE_TEAM_WRITES: "1000000",
  ELASTIC_RATE_UNAUTHENTICATED: "1000000",
};

export interface ClusterOptions {
  /** Default 1. */
  readonly coordinators?: number;
  /** Default 1. */
  readonly agents?: number;
  /** With a container engine, one of the test's own where it is given, and the service's own registry; default false. */
  readonly engine?: boolean | Engine;
  /** With the service's own registry, engine or not; default false. */
  readonly registry?: boolean;
  /** One that the test has started, and ends; default a separate one. */
  readonly etcd?: Etcd;
  /** How coordinators reach etcd, for a proxy in between; default directly. */
  readonly etcdThrough?: (endpoint: string) => Promise<string>;
  /** How agents reach a coordinator, for a proxy in between; default directly. */
  readonly coordinatorThrough?: (grpc: string) => Promise<string>;
  readonly coordinatorSettings?: Readonly<Record<string, string>>;
  readonly agentSettings?: Readonly<Record<string, string>>;
  /** Whether agents record what runs on them, in the folder of the cluster (checker/execution-lines.ts); default false. */
  readonly ledgers?: boolean;
  /** The program of each start of a coordinator or agent, as it is started; default as it is. */
  readonly as?: (program: Program) => Program;
}

export interface Cluster extends AsyncDisposable {
  /** Logs, certificates, blobs and state of all parts. */
  readonly folder: string;
  readonly etcd: Etcd;
  readonly coordinators: readonly Coordinator[];
  readonly agents: readonly Agent[];
  readonly engine: Engine | null;
  readonly registry: Registry | null;
  readonly firstKey: FirstKey;
  /** A user with the first key at one of the coordinators; default the first. */
  client(coordinator?: Coordinator): ApiClient;
  /** Only where several were requested, so that they share an archive. */
  addCoordinator(): Promise<Coordinator>;
  /** A process that has the role ssh alone; agents find it by themselves. */
  addGateway(name: string, listen: string): Promise<Gateway>;
  /** An agent of a new node, linked. */
  addAgent(settings?: Readonly<Record<string, string>>, inside?: (program: Program) => Program): Promise<Agent>;
  /** Builds an image, pushes it to the cluster's registry and returns its reference. */
  publish(name: ImageName): Promise<string>;
}

export async function startCluster(options: ClusterOptions = {}): Promise<Cluster> {
  const parts = new AsyncDisposableStack();
  try {
    return await assemble(options, parts);
  } catch (error) {
    await parts.disposeAsync();
    throw error;
  }
}

/** Everything that is started is put on `parts`, to be ended in reverse. */
async function assemble(options: ClusterOptions, parts: AsyncDisposableStack): Promise<Cluster> {
  const folder = makeWorkFolder();
  parts.use(folder);
  parts.defer(() => detachLoopDevices(folder.path));
  const started = async <T extends AsyncDisposable>(part: Promise<T>): Promise<T> => parts.use(await part);
  // Several coordinators share their history, which a file does not serve.
  const isShared = (options.coordinators ?? 1) > 1;
  const [etcd, engine, registry, postgres] = await atOnce([
    options.etcd ?? started(startEtcd()),
    options.engine === true ? started(startEngine()) : options.engine || null,
    options.engine || options.registry ? started(startRegistry()) : null,
    isShared ? started(startPostgres()) : null,
  ]);
  const archive = postgres?.newDatabase() ?? null;
  const ca = makeCertificates(folder.path);
  const etcdEndpoint = (await options.etcdThrough?.(etcd.endpoint)) ?? etcd.endpoint;
  const firstKey = await makeFirstKey({ endpoints: [etcd.endpoint] }, { user: "tester", team: "research" });

  const coordinators: Coordinator[] = [];
  const agents: Agent[] = [];
  let agentsNamed = 0;
  const addCoordinator = async (): Promise<Coordinator> => {
    const coordinator = await startCoordinator({
      name: `coordinator-${coordinators.length + 1}`,
      folder: folder.path,
      etcd: [etcdEndpoint],
      tls: ca.coordinator(),
      registryHost: registry?.host ?? null,
      settings: {
        ...TEST_PROVERS,
        ...NO_RATE_LIMITS,
        ...(archive === null ? {} : { ELASTIC_ARCHIVE: archive }),
        ...options.coordinatorSettings,
      },
      ...(options.as === undefined ? {} : { as: options.as }),
    });
    parts.use(coordinator);
    coordinators.push(coordinator);
    return coordinator;
  };
  const startOne = async (
    settings: Readonly<Record<string, string>> = {},
    inside: ((program: Program) => Program) | undefined = options.as,
  ): Promise<Agent> => {
    const name = `agent-${++agentsNamed}`;
    const nodeId = newId(Date.now());
    const reach = options.coordinatorThrough ?? (async (grpc: string) => grpc);
    if (engine !== null && !engine.own) parts.defer(() => removeContainersOf(engine.socket, nodeId));
    const agent = await startAgent({
      name,
      nodeId,
      folder: folder.path,
      coordinators: await Promise.all(coordinators.map(({ grpc }) => reach(grpc))),
      tls: ca.node(nodeId),
      engineSocket: engine?.socket ?? null,
      settings: {
        ...TEST_PROVERS,
        ...BUILDS_NOT_IDLE,
        ...(options.ledgers ? ledgerSetting(folder.path, name) : {}),
        ...options.agentSettings,
        ...settings,
      },
      ...(inside === undefined ? {} : { inside }),
    });
    parts.use(agent);
    await agent.linked();
    return agent;
  };

  for (let count = options.coordinators ?? 1; count > 0; count -= 1) await addCoordinator();
  const starting = Array.from({ length: options.agents ?? 1 }, () => startOne());
  const tokens = tokenServiceFor(secretsKeyFile(folder.path), coordinators[0]?.url ?? "");
  const [first] = await atOnce([atOnce(starting), registry?.demandTokens(tokens)]);
  agents.push(...first);
  return {
    folder: folder.path,
    etcd,
    coordinators,
    agents,
    engine,
    registry,
    firstKey,
    client(coordinator = coordinators[0]) {
      if (coordinator === undefined) throw new Error("this cluster has no coordinator");
      return apiClient({ url: coordinator.url, key: firstKey.key });
    },
    addCoordinator,
    async addGateway(name, listen) {
      const at = { name, listen, folder: folder.path, etcd: [etcdEndpoint], tls: ca.coordinator() };
      return parts.use(await startGateway(at));
    },
    async addAgent(settings, inside) {
      const agent = await startOne(settings, inside);
      agents.push(agent);
      return agent;
    },
    async publish(name) {
      if (engine === null || registry === null) throw new Error("this cluster was started without an engine");
      const image = { name, registryHost: registry.host, tag: "test", prefix: `${firstKey.teamId}/` };
      return await publishImage(engine.socket, { ...image, password: firstKey.key });
    },
    [Symbol.asyncDispose]: () => parts.disposeAsync(),
  };
}

/** Coordinators without HTTP: store, leadership, scheduler and fleet over one memory, and agents played by the test. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Clock, systemClock } from "@elastic/std/clock.ts";
import { createLog, type Logger } from "@elastic/std/log.ts";
import { makeCertificates } from "@elastic/test/cluster/certificates.ts";
import type { BlobStore } from "../../blobs/blob-store.ts";
import { openFileBlobs } from "../../blobs/file-blobs.ts";
import { ClockKeeper } from "../../clocks/clock-keeper.ts";
import { GuardedClock } from "../../clocks/guarded-clock.ts";
import { Contacts } from "../../contacts/contacts.ts";
import type { Deployment } from "../../domain/deployment.ts";
import { beginRollOut } from "../../domain/roll-out.ts";
import { deploy, type Service } from "../../domain/service.ts";
import type { Task } from "../../domain/task.ts";
import { aDeployment, aNewService, aTask } from "../../domain/testing/records.ts";
import type { Versioned } from "../../domain/versioned.ts";
import { LiveAuthority } from "../../enrollment/live-authority.ts";
import { ownHosts } from "../../enrollment/own-hosts.ts";
import { createMetrics, type Metrics } from "../../metrics/metrics.ts";
import { ProgressBoard } from "../../progress/progress-board.ts";
import { StartBoard } from "../../progress/start-board.ts";
import { openOwnRegistry } from "../../registry/own-registry.ts";
import { type Scheduler, startScheduler } from "../../scheduler/scheduler-loop.ts";
import { openSecrets, type Secrets } from "../../secrets/secrets.ts";
import { create, inputBytes } from "../../store/change.ts";
import type { Kv } from "../../store/kv.ts";
import { campaign, type Leadership } from "../../store/leadership.ts";
import { Memory } from "../../store/memory/memory.ts";
import { type MemoryKv, memoryKv } from "../../store/memory/memory-kv.ts";
import { openStore } from "../../store/open/open-store.ts";
import type { Store } from "../../store/store.ts";
import { openFileTaskLogs } from "../../task-logs/file-task-logs.ts";
import type { TaskLogs } from "../../task-logs/task-logs.ts";
import { type Fleet, startFleet } from "../fleet-server.ts";
import { Links } from "../links.ts";
import { ownTls } from "../own-tls.ts";
import { fixedTls, readServerTls } from "../read-server-tls.ts";
import { FakeAgent } from "./fake-agent.ts";

const WITHIN_MS = 20_000;
/** Small, so that a test reaches it. */
export const LOG_BYTES_MAX = 100_000;

/** Where nothing listens: what is deployed here is pulled by nobody. */
const REGISTRY = {
  address: { host: "127.0.0.1:1", base: "http://127.0.0.1:1" },
  service: "elastic-registry",
  issuer: "elastic",
};

export interface Coordinator {
  /** Of the fixture's memory, whatever the coordinator uses. */
  readonly kv: MemoryKv;
  /** Null where it has not its own. */
  readonly authority: LiveAuthority | null;
  readonly store: Store;
  readonly leadership: Leadership;
  readonly fleet: Fleet;
  readonly clocks: ClockKeeper;
  readonly scheduler: Scheduler;
  readonly metrics: Metrics;
  readonly progress: ProgressBoard;
  readonly starts: StartBoard;
  stop(): Promise<void>;
}

export class FleetFixture {
  readonly memory = new Memory();
  readonly ca: ReturnType<typeof makeCertificates>;
  readonly blobs: BlobStore;
  readonly logs: TaskLogs;
  readonly secrets: Secrets;
  readonly #dir: string;
  readonly #coordinators: Coordinator[] = [];
  readonly #agents: FakeAgent[] = [];

  private constructor(dir: string, blobs: BlobStore) {
    this.#dir = dir;
    this.ca = makeCertificates(dir);
    this.blobs = blobs;
    this.logs = openFileTaskLogs(join(dir, "blobs"));
    this.secrets = openSecrets({ keyFile: join(dir, "keys") });
  }

  static async open(): Promise<FleetFixture> {
    const dir = mkdtempSync(join(tmpdir(), "fleet-"));
    return new FleetFixture(dir, await openFileBlobs({ dir: join(dir, "blobs"), storeId: "1".repeat(32) }));
  }

  /** With its own authority where `certificateLifeMs` is given. */
  async coordinator(
    given: {
      /** Of the fixture's memory, where it is left out. */
      readonly kv?: Kv;
      /** Always where it is left out. */
      readonly canLead?: (store: Store) => boolean;
      readonly clock?: Clock;
      readonly log?: Logger;
      readonly certificateLifeMs?: number;
    } = {},
  ): Promise<Coordinator> {
    const clock = given.clock ?? systemClock;
    const guarded = new GuardedClock(clock);
    const log = given.log ?? createLog({ name: "test", level: "silent" });
    const ofMemory = memoryKv(this.memory);
    const kv = given.kv ?? ofMemory;
    const store = await openStore({ kv, clock, log });
    const metrics = createMetrics();
    const progress = new ProgressBoard();
    const unfollow = progress.follow(store.view.tasks);
    const starts = new StartBoard();
    const id = `coordinator-${this.#coordinators.length + 1}`;
    const links = new Links(clock);
    const contacts = new Contacts({
      kv,
      id,
      links,
      leaderEpoch: () => leadership.epoch(),
      isCandidate: () => true,
      canCommand: true,
      clock,
      loops: metrics.loops,
      log,
    });
    const canLead = () => given.canLead?.(store) ?? true;
    const leadership = campaign({ kv, coordinatorId: id, clock, mayLead: () => contacts.mayLead(), canLead, log });
    const stopContacts = contacts.start();
    const clocks = new ClockKeeper({ clock: guarded, log });
    const parts = { store, links, contacts, leadership, clock, clocks, log, metrics };
    const { certificateLifeMs } = given;
    const { secrets } = this;
    const authority = certificateLifeMs === undefined ? null : await LiveAuthority.open({ kv, secrets, clock, log });
    const own = authority && ownTls(authority, ownHosts([]));
    const fleet: Fleet = await startFleet({
      ...parts,
      archive: { getMany: async () => [] },
      blobs: this.blobs,
      logs: this.logs,
      progress,
      starts,
      secrets: this.secrets,
      registry: openOwnRegistry(REGISTRY, this.secrets, clock),
      coordinators: { addresses: () => this.#coordinators.map((coordinator) => coordinator.fleet.address) },
      authority,
      config: {
        listen: "127.0.0.1:0",
        tls: own ?? fixedTls(readServerTls(this.ca.coordinator())),
        coordinatorId: id,
        logBytesMax: LOG_BYTES_MAX,
        shellEgress: [],
        certificateLifeMs: certificateLifeMs ?? 60_000,
      },
    });
    const scheduler = startScheduler({ ...parts, clock: guarded, links: contacts });
    const coordinator: Coordinator = {
      kv: ofMemory,
      authority,
      store,
      leadership,
      fleet,
      clocks,
      scheduler,
      metrics,
      progress,
      starts,
      stop: async () => {
        unfollow();
        this.#coordinators.splice(this.#coordinators.indexOf(coordinator), 1);
        await scheduler.stop();
        await stopContacts();
        await fleet.stop();
        await leadership.stop();
        await store.close();
        await kv.close();
        if (kv !== ofMemory) await ofMemory.close();
      },
    };
    this.#coordinators.push(coordinator);
    return coordinator;
  }

  /** An agent that has opened a stream and said nothing yet. */
  agent(coordinator: Coordinator, nodeId: string, files = this.ca.node(nodeId)): FakeAgent {
    const agent = new FakeAgent(coordinator.fleet.address, files, nodeId);
    this.#agents.push(agent);
    return agent;
  }

  async close(): Promise<void> {
    for (const agent of this.#agents) agent.close();
    await Promise.all([...this.#coordinators].map((coordinator) => coordinator.stop()));
    rmSync(this.#dir, { recursive: true, force: true });
  }
}

export interface DeployedService {
  readonly service: Service;
  readonly deployment: Deployment;
}

/** A new service whose first deployment is to be rolled out. */
export async function deployService(
  store: Store,
  given: Omit<Parameters<typeof aDeployment>[0], "serviceId"> = {},
): Promise<DeployedService> {
  const bare = aNewService();
  const deployment = aDeployment({ createdAt: Date.now(), ...given, serviceId: bare.id });
  const service = deploy(bare, deployment.id);
  const times = { receivedAt: deployment.createdAt, resolvedAt: deployment.createdAt };
  const rollOut = beginRollOut({ id: deployment.id, serviceId: service.id, teamId: service.teamId }, times, null);
  await store.commit([create("services", service), create("deployments", deployment), create("roll-outs", rollOut)]);
  return { service, deployment };
}

export async function createTask(
  store: Store,
  service: Pick<Service, "id">,
  input = "{}",
  given: Partial<Parameters<typeof aTask>[1]> = {},
): Promise<Task> {
  const data = Buffer.from(input);
  const task = aTask(service, {
    createdAt: Date.now(),
    input: { bytes: data.length, sha256: "0".repeat(64), where: "store" },
    ...given,
  });
  await store.commit([create("tasks", task), inputBytes(task.id, data)]);
  return task;
}

/** Waits until the view shows a record that satisfies. */
export async function seen<T>(
  view: { get(id: string): Versioned<T> | undefined; subscribe(listener: () => void): () => void },
  id: string,
  satisfies: (value: T) => boolean,
): Promise<T> {
  return await new Promise<T>((resolve, reject) => {
    const look = () => {
      const value = view.get(id)?.value;
      if (value === undefined || !satisfies(value)) return;
      clearTimeout(late);
      stop();
      resolve(value);
    };
    const late = setTimeout(() => {
      stop();
      reject(new Error(`waited ${WITHIN_MS} ms; the record is ${JSON.stringify(view.get(id)?.value)}`));
    }, WITHIN_MS);
    const stop = view.subscribe(look);
    look();
  });
}

/** A linked agent with a service's workload up on it. */
export async function readyAgent(
  fixture: FleetFixture,
  coordinator: Coordinator,
  given: {
    readonly nodeId?: string;
    readonly hello?: Parameters<FakeAgent["hello"]>[0];
    readonly deployment?: Parameters<typeof deployService>[1];
  } = {},
): Promise<DeployedService & { readonly agent: FakeAgent; readonly assignmentId: string }> {
  const agent = fixture.agent(coordinator, given.nodeId ?? "node-a");
  await agent.hello(given.hello);
  const deployed = await deployService(coordinator.store, { scaling: { min: 1 }, ...given.deployment });
  const [assignment] = await agent.bringUp(1);
  await seen(coordinator.store.view.services, deployed.service.id, ({ state }) => state.kind === "ready");
  return { ...deployed, agent, assignmentId: assignment?.assignmentId ?? "" };
}

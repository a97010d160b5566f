/** The machines of one run, and what befalls them. */
import { deploy, newService, rolledOut } from "@elastic/coordinator/domain/service.ts";
import { aDeployment } from "@elastic/coordinator/domain/testing/records.ts";
import { createMetrics } from "@elastic/coordinator/metrics/metrics.ts";
import { encodeRecord } from "@elastic/coordinator/store/codec.ts";
import { inputKey, type RecordKind, recordKey } from "@elastic/coordinator/store/keys.ts";
import type { Logger } from "@elastic/std/log.ts";
import { startAgent } from "./agent-process.ts";
import { AgentStreams } from "./agent-stream.ts";
import { Engine } from "./containers.ts";
import { type SimulatedCoordinator, startCoordinator } from "./coordinator-process.ts";
import { Disk } from "./disk.ts";
import { Ledger } from "./ledger.ts";
import { Network } from "./network.ts";
import { type Random, randomOf } from "./random.ts";
import type { Schedule } from "./schedule.ts";
import { idOf, TEAM, USER } from "./simulated-ids.ts";
import { SimulatedKv, StoreFaults } from "./simulated-kv.ts";
import { StoreMachine } from "./store-machine.ts";
import { type Strike, Strikes } from "./strikes.ts";
import { type Drift, Process, type World } from "./world.ts";

/** What a simulated coordinator that cannot start waits before it is started again. */
const RESTART_MS = 1_000;
/** Counted and read by nobody; making them again for each start would cost more than all else. */
let metrics: ReturnType<typeof createMetrics> | null = null;

/** What can be broken on purpose, to see that a simulation finds it. */
export const BUGS = ["the fence is ignored"] as const;
export type Bug = (typeof BUGS)[number];

export interface FleetOptions {
  readonly world: World;
  readonly schedule: Pick<Schedule, "seed" | "fleet">;
  readonly logOf: (process: Process) => Logger;
  readonly bug: Bug | null;
}

interface CoordinatorMachine {
  readonly faults: StoreFaults;
  readonly drift: Drift;
  starts: number;
  process: Process | null;
  serving: SimulatedCoordinator | null;
}

interface AgentMachine {
  readonly disk: Disk;
  readonly engine: Engine;
  readonly drift: Drift;
  starts: number;
  process: Process | null;
}

export class FleetUnderTest {
  readonly network: Network;
  readonly store: StoreMachine;
  readonly streams: AgentStreams;
  readonly ledger = new Ledger();
  readonly strikes: Strikes;
  onStruck: (strike: Strike) => void = () => undefined;
  readonly serviceId: string;
  readonly coordinators: ReadonlyMap<string, CoordinatorMachine>;
  readonly agents: ReadonlyMap<string, AgentMachine>;
  readonly #options: FleetOptions;
  #isHealed = false;

  constructor(options: FleetOptions) {
    const { world, schedule } = options;
    const { fleet } = schedule;
    const random = (purpose: string) => randomOf(schedule.seed, purpose);
    this.#options = options;
    this.network = new Network(world, fleet.latency, random);
    this.store = new StoreMachine(world);
    this.serviceId = this.#writeService();
    this.strikes = new Strikes(world, (strike) => this.#strike(strike));
    this.ledger.onEnd = ({ host }) => this.strikes.moment(host);
    this.store.onApplied = (by) => this.strikes.moment(by.host);
    this.streams = new AgentStreams(this.network, (address) => {
      const serving = this.coordinators.get(address)?.serving ?? null;
      return serving?.process.isAlive ? serving : null;
    });
    const drifts = random("drift");
    const drift = (): Drift => ({
      rate: 1 + drifts.between(-fleet.driftMax, fleet.driftMax),
      wallAheadMs: Math.round(drifts.between(-fleet.wallOffMs, fleet.wallOffMs)),
    });
    this.coordinators = new Map(fleet.coordinators.map((host) => [host, newCoordinatorMachine(drift())]));
    this.agents = new Map(fleet.agents.map((host) => [host, this.#newAgentMachine(host, drift(), random(host))]));
  }

  /** Starts what is not up. */
  startAll(): void {
    for (const host of this.coordinators.keys()) this.start(host);
    for (const host of this.agents.keys()) this.start(host);
  }

  start(host: string): void {
    const coordinator = this.coordinators.get(host);
    if (coordinator !== undefined && coordinator.process === null) this.#startCoordinator(host, coordinator);
    const agent = this.agents.get(host);
    if (agent !== undefined && agent.process === null) this.#startAgent(host, agent);
  }

  /** As by kill -9; it is started again later. */
  crash(host: string, downMs: number): void {
    const machine = this.coordinators.get(host) ?? this.agents.get(host);
    const process = machine?.process;
    if (machine === undefined || process === null || process === undefined) return;
    machine.process = null;
    if ("serving" in machine) machine.serving = null;
    process.kill();
    this.network.world.in(null, downMs, "restart", () => this.start(host));
  }

  processOf(host: string): Process | null {
    return (this.coordinators.get(host) ?? this.agents.get(host))?.process ?? null;
  }

  /** Null while it does not serve. */
  serving(host: string): SimulatedCoordinator | null {
    return this.coordinators.get(host)?.serving ?? null;
  }

  /** From here on nothing is broken. */
  heal(): void {
    this.#isHealed = true;
    this.network.heal();
    this.strikes.disarm();
    for (const { faults } of this.coordinators.values()) faults.heal();
    for (const host of [...this.coordinators.keys(), ...this.agents.keys()]) {
      this.processOf(host)?.continue();
    }
    this.startAll();
  }

  #strike(strike: Strike): void {
    this.onStruck(strike);
    const { host, how, forMs } = strike;
    if (how === "crash") this.crash(host, forMs);
    else this.processOf(host)?.pause(forMs);
  }

  #startCoordinator(host: string, machine: CoordinatorMachine): void {
    const { world, logOf } = this.#options;
    machine.starts += 1;
    const process = new Process(world, { host, name: `${host}.${machine.starts}`, drift: machine.drift });
    machine.process = process;
    metrics ??= createMetrics();
    const kv = new SimulatedKv({ process, store: this.store, network: this.network, faults: machine.faults });
    const parts = { process, kv, metrics, log: logOf(process) };
    world.in(process, 0, "start", () => {
      void startCoordinator(parts).then(
        (serving) => {
          if (process.isAlive) machine.serving = serving;
        },
        () => this.crash(host, RESTART_MS),
      );
    });
  }

  #startAgent(host: string, machine: AgentMachine): void {
    const { world, schedule, bug, logOf } = this.#options;
    machine.starts += 1;
    const name = `${host}.${machine.starts}`;
    const process = new Process(world, { host, name, disk: machine.disk, drift: machine.drift });
    machine.process = process;
    world.in(process, 0, "start", () => {
      void startAgent({
        process,
        slots: schedule.fleet.slots,
        coordinators: schedule.fleet.coordinators,
        streams: this.streams,
        engine: machine.engine,
        ledger: this.ledger,
        inputOf: (taskId) => this.store.memory.read(inputKey(taskId))?.value ?? Buffer.from("{}"),
        ignoresFence: bug === "the fence is ignored",
        log: logOf(process),
      });
    });
  }

  #newAgentMachine(host: string, drift: Drift, random: Random): AgentMachine {
    const { world, schedule } = this.#options;
    const { startMs, diskSlowestMs } = schedule.fleet;
    const startsFail = () => (this.#isHealed ? 0 : schedule.fleet.startsFail);
    const machine = new Process(world, { host, name: `machine of ${host}` });
    const engine = new Engine({ machine, ledger: this.ledger, random, startMs, startsFail });
    return { disk: new Disk(random, diskSlowestMs), engine, drift, starts: 0, process: null };
  }

  #writeService(): string {
    const { concurrency, workloadsMin: min, workloadsMax: max } = this.#options.schedule.fleet;
    const of = { teamId: TEAM, creatorId: USER, createdAt: 0 };
    const bare = newService({ ...of, id: idOf(3), name: "prover" });
    const deployment = aDeployment({
      ...of,
      id: idOf(4),
      serviceId: bare.id,
      image: `registry.example/prover@sha256:${"0".repeat(64)}`,
      scaling: { min, max, idleTimeoutMs: 20_000, targetQueueMs: 1_000 },
      limits: { budgets: { queueMs: 600_000, startMs: 60_000, runMs: 30_000 }, concurrency },
    });
    const service = rolledOut(deploy(bare, deployment.id));
    const membership = { userId: USER, teamId: TEAM, role: "owner", createdAt: 0 };
    const put = (kind: RecordKind, id: string, value: object) => {
      const key = recordKey(kind, id);
      return { key, value: encodeRecord(key, "setup", value) };
    };
    const puts = [
      put("services", service.id, service),
      put("deployments", deployment.id, deployment),
      put("memberships", `${USER}/${TEAM}`, membership),
    ];
    this.store.apply(this.store.process, { compares: [], puts, deletes: [] });
    return service.id;
  }
}

function newCoordinatorMachine(drift: Drift): CoordinatorMachine {
  return { faults: new StoreFaults(), drift, starts: 0, process: null, serving: null };
}

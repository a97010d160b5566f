/** Looks at a run while it happens: what histories alone would not show. */
import type { Node } from "@elastic/coordinator/domain/node.ts";
import type { FleetUnderTest } from "./fleet-under-test.ts";
import type { Execution } from "./ledger.ts";
import type { Schedule, SimulatedEvent } from "./schedule.ts";
import type { RecordWrite } from "./store-machine.ts";

/** A heartbeat, and what it takes on its way. */
const RECEIVED_WITHIN_MS = 3_500;
/** Of what a coordinator received of a node last. */
const TIMES_KEPT = 5;
/** What is in order must have been so for longer than it takes until a node counts as lost, and a list is shared. */
const SOUND_FOR_MS = 25_000;
/** A coordinator that is cut off from the store keeps its agents running (docs/decisions/2026-11-26-contacts.md). */
const CUT_OFF_COUNTS_MS = 90_000;
/** An agent whose last heartbeat was received so long ago has abandoned what it ran. */
const FENCED_WITHIN_MS = 14_000;
/** An agent that continues after a pause obeys what it was sent meanwhile, until its next hello shows what is no longer its own. */
const WAKES_WITHIN_MS = 5_000;

/** Coordinators share whom they reach, and a hello that changes nothing shows nowhere else. */
const SHARED_WITHIN_MS = 1_000;
/** The abort of a prover. */
const ENDS_WITHIN_MS = 500;

interface Trouble {
  readonly host: string;
  readonly fromMs: number;
  readonly untilMs: number;
  readonly isOfStore: boolean;
}

export class Watcher {
  readonly found: string[] = [];
  readonly #fleet: FleetUnderTest;
  readonly #coordinators: readonly string[];
  readonly #troubles: Trouble[] = [];
  /** What was decided so long before it was written could not know what came since. */
  readonly #decidedWithinMs: number;
  /** By coordinator process and node. */
  readonly #receivedAtMs = new Map<string, number[]>();

  constructor(fleet: FleetUnderTest, { fleet: { coordinators, latency } }: Schedule) {
    this.#fleet = fleet;
    this.#coordinators = coordinators;
    this.#decidedWithinMs = SHARED_WITHIN_MS + 10 * (latency.leastMs + latency.meanMs);
    fleet.streams.onReceived = ({ name, world }, agent) => {
      // What a dead one sent may have been held back until now.
      if (!agent.isAlive) return;
      const times = this.#receivedAtMs.get(`${name}/${agent.host}`) ?? [];
      this.#receivedAtMs.set(`${name}/${agent.host}`, [...times, world.nowMs].slice(-TIMES_KEPT));
    };
    fleet.store.onWrite = (write) => this.#onWrite(write);
    fleet.onStruck = ({ host, forMs }) => this.#trouble(host, forMs, false);
    fleet.ledger.onBegin = (execution) => this.#onBegin(execution);
  }

  onEvent(event: SimulatedEvent): void {
    const trouble = this.#trouble.bind(this);
    switch (event.kind) {
      case "crash":
        trouble(event.host, event.downMs, false);
        break;
      case "pause":
        trouble(event.host, event.forMs, false);
        break;
      case "partition":
      case "slow":
        if (event.from === "store" || event.to === "store") {
          trouble(event.from === "store" ? event.to : event.from, event.forMs, true);
        }
        break;
      case "store-away":
      case "watches-stall":
        trouble(event.host, event.forMs, true);
        break;
      case "watches-break":
      case "leases-end":
        trouble(event.host, 0, false);
        break;
      case "lose-responses":
        trouble(event.host, SOUND_FOR_MS, false);
    }
  }

  #trouble(host: string, forMs: number, isOfStore: boolean): void {
    const { nowMs } = this.#fleet.network.world;
    this.#troubles.push({ host, fromMs: nowMs, untilMs: nowMs + forMs, isOfStore });
  }

  #onWrite({ kind, value, by, atMs, id }: RecordWrite): void {
    if (kind !== "nodes" || (value as Node | null)?.state !== "lost" || by === null || !this.#isSound(by.host)) return;
    for (const host of this.#coordinators) {
      const times = this.#receivedAtMs.get(`${this.#fleet.serving(host)?.process.name}/${id}`) ?? [];
      const decidedAtMs = atMs - this.#decidedWithinMs;
      const isReached = times.some((time) => time <= decidedAtMs && time > decidedAtMs - RECEIVED_WITHIN_MS);
      if (!isReached || !this.#isSound(host)) continue;
      const seconds = (atMs / 1_000).toFixed(1);
      this.found.push(`node ${id} was declared lost at ${seconds} s while ${host} received its heartbeats`);
    }
  }

  #onBegin(begun: Execution): void {
    const { world } = this.#fleet.network;
    for (const other of this.#fleet.ledger.running()) {
      if (other === begun || other.taskId !== begun.taskId || isEnding(other, world.nowMs)) continue;
      if (other.revision === begun.revision) {
        this.found.push(`attempt ${begun.number} of task ${begun.taskId} runs twice: one token, two executions`);
      } else if (begun.number > other.number && isFree(other, world.nowMs) && !this.#isHeldByCutOff(other)) {
        // An earlier attempt that begins late is one whose command was late: it ends with the next hello, and commits nothing.
        this.found.push(
          `task ${begun.taskId} was started on ${begun.host} as attempt ${begun.number} while attempt ${other.number} ` +
            `still ran on ${other.host}, whose agent was running freely`,
        );
      }
    }
  }

  #isSound(host: string): boolean {
    const { nowMs } = this.#fleet.network.world;
    return !this.#troubles.some(
      (one) => one.host === host && one.fromMs <= nowMs && one.untilMs > nowMs - SOUND_FOR_MS,
    );
  }

  /** Whether a coordinator whose list the others may not have acknowledges the heartbeats of its agent. */
  #isHeldByCutOff({ host: node }: Execution): boolean {
    const { nowMs } = this.#fleet.network.world;
    return this.#troubles.some(({ host, isOfStore, fromMs, untilMs }) => {
      if (!isOfStore || fromMs > nowMs || untilMs <= nowMs - CUT_OFF_COUNTS_MS) return false;
      const times = this.#receivedAtMs.get(`${this.#fleet.serving(host)?.process.name}/${node}`) ?? [];
      return times.some((time) => time > nowMs - FENCED_WITHIN_MS);
    });
  }
}

/** What its agent has abandoned takes a moment to end. */
function isEnding({ fencedAtMs }: Execution, nowMs: number): boolean {
  return fencedAtMs !== null && nowMs - fencedAtMs < ENDS_WITHIN_MS;
}

function isFree({ agent }: Execution, nowMs: number): boolean {
  return agent.isAlive && agent.pausedUntilMs < nowMs - WAKES_WITHIN_MS;
}

/** The network between machines: how long a message takes, and which ways are cut. Ways have a direction. */
import type { Random } from "./random.ts";
import type { Process, World } from "./world.ts";

export interface Latency {
  readonly leastMs: number;
  readonly meanMs: number;
}

/** Of one way for a time. */
interface Disturbance {
  readonly untilMs: number;
  readonly extraMs: number;
}

export class Network {
  readonly world: World;
  readonly #random: (way: string) => Random;
  readonly #latency: Latency;
  readonly #ways = new Map<string, Random>();
  readonly #blockedUntilMs = new Map<string, number>();
  readonly #slow = new Map<string, Disturbance>();

  constructor(world: World, latency: Latency, random: (way: string) => Random) {
    this.world = world;
    this.#latency = latency;
    this.#random = random;
  }

  block(from: string, to: string, untilMs: number): void {
    const way = wayOf(from, to);
    this.#blockedUntilMs.set(way, Math.max(untilMs, this.#blockedUntilMs.get(way) ?? 0));
  }

  slow(from: string, to: string, disturbance: Disturbance): void {
    this.#slow.set(wayOf(from, to), disturbance);
  }

  heal(): void {
    this.#blockedUntilMs.clear();
    this.#slow.clear();
  }

  /** When the way is open again; 0 where it is open. */
  blockedUntilMs(from: string, to: string): number {
    const untilMs = this.#blockedUntilMs.get(wayOf(from, to)) ?? 0;
    return untilMs > this.world.nowMs ? untilMs : 0;
  }

  isBlocked(from: string, to: string): boolean {
    return this.blockedUntilMs(from, to) > 0;
  }

  latencyMs(from: string, to: string): number {
    const way = wayOf(from, to);
    let random = this.#ways.get(way);
    if (random === undefined) {
      random = this.#random(way);
      this.#ways.set(way, random);
    }
    const { leastMs, meanMs } = this.#latency;
    const slow = this.#slow.get(way);
    const extraMs = slow !== undefined && slow.untilMs > this.world.nowMs ? random.next() * slow.extraMs : 0;
    return leastMs - meanMs * Math.log(1 - random.next()) + extraMs;
  }
}

/**
 * One direction of a connection: what is sent arrives in its order, or not at all. While the way is cut it waits, as TCP sends
 * it again.
 */
export class Pipe {
  readonly #network: Network;
  readonly #from: string;
  readonly #to: Process;
  #lastAtMs = 0;
  #isCut = false;

  constructor(network: Network, from: string, to: Process) {
    this.#network = network;
    this.#from = from;
    this.#to = to;
  }

  send(label: string, arrive: () => void): void {
    if (this.#isCut) return;
    const { world } = this.#network;
    const latencyMs = this.#network.latencyMs(this.#from, this.#to.host);
    const openAtMs = Math.max(world.nowMs, this.#network.blockedUntilMs(this.#from, this.#to.host));
    this.#lastAtMs = Math.max(this.#lastAtMs, openAtMs + latencyMs);
    world.at(this.#to, this.#lastAtMs, label, () => {
      if (!this.#isCut) arrive();
    });
  }

  /** What is on its way never arrives. */
  cut(): void {
    this.#isCut = true;
  }
}

function wayOf(from: string, to: string): string {
  return `${from}>${to}`;
}

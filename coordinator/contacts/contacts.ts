/**
 * What the coordinators together know of the nodes: whether any of them reaches one, and which of them sends it
 * commands. A leader that reaches far fewer nodes than another coordinator resigns.
 */
import type { Logger } from "@elastic/std/log.ts";
import { combined, type FollowedLinks, type Liveness } from "../domain/link-liveness.ts";
import { type LoopMetrics, startMeteredLoop } from "../metrics/loop-metrics.ts";
import { StoreChangedError } from "../store/kv.ts";
import { ContactExchange, type ContactExchangeOptions } from "./contact-exchange.ts";
import { type Relayed, reachesFarFewer, relayedBy } from "./relay-rule.ts";

const EVERY_MS = 500;
/** Of a leader that has just taken over, or lost a link that opens again, the list is not what it will be. */
const RELAYS_AFTER_MS = 2_000;
const RESIGNS_AFTER_MS = 10_000;
/** For the others to take over; if none could, it leads again. */
const ABSTAINS_FOR_MS = 30_000;

export interface ContactsOptions extends Omit<ContactExchangeOptions, "lastSeen" | "isUnresponsive"> {
  readonly links: FollowedLinks & Pick<ContactExchangeOptions, "lastSeen">;
  readonly loops: LoopMetrics;
  readonly log: Logger;
}

export class Contacts implements FollowedLinks {
  readonly #options: ContactsOptions;
  readonly #exchange: ContactExchange;
  readonly #relayListeners = new Set<(nodeId: string) => void>();
  /** By node: since when the leader is seen not to reach it. */
  #unreachedSinceMs = new Map<string, number>();
  /** To which commands go by this coordinator, in the leader's name. */
  #relayed: Relayed | null = null;
  #outreachedSinceMs: number | null = null;
  #abstainsUntilMs = Number.NEGATIVE_INFINITY;

  constructor(options: ContactsOptions) {
    this.#options = options;
    const { links } = options;
    this.#exchange = new ContactExchange({
      ...options,
      lastSeen: () => links.lastSeen(),
      isUnresponsive: (nodeId) => links.of(nodeId)?.kind === "unresponsive",
    });
  }

  /** By whichever coordinator: "linked" also where only another one reaches it. */
  of(nodeId: string): Liveness | null {
    return combined(this.#options.links.of(nodeId), this.#exchange.of(nodeId));
  }

  subscribe(listener: (nodeId: string) => void): () => void {
    const stops = [this.#options.links.subscribe(listener), this.#exchange.subscribe(listener)];
    return () => {
      for (const stop of stops) stop();
    };
  }

  /** Under which commands go to a node by a link of this coordinator; null where they do not. */
  commandingEpoch(nodeId: string): number | null {
    const epoch = this.#options.leaderEpoch();
    if (epoch !== null) return epoch;
    return this.#relayed?.nodes.has(nodeId) ? this.#relayed.epoch : null;
  }

  /** Called for each node to which commands go by this coordinator from now on, without its leading. */
  onRelayed(listener: (nodeId: string) => void): () => void {
    this.#relayListeners.add(listener);
    return () => this.#relayListeners.delete(listener);
  }

  mayLead(): boolean {
    return this.#options.clock.monotonicMs() >= this.#abstainsUntilMs;
  }

  /** Returns the way to stop. */
  start(): () => Promise<void> {
    const { loops, log } = this.#options;
    const loop = startMeteredLoop({
      name: "share_contacts",
      everyMs: EVERY_MS,
      turn: () => this.turn(),
      loops,
      log,
      failure: "the nodes that this coordinator reaches could not be shared with the other coordinators",
      // Whoever writes to etcd logs that it is away.
      failureLevel: "debug",
    });
    return async () => {
      await loop.stop();
      await this.#exchange.stop();
    };
  }

  async turn(): Promise<void> {
    await this.#exchange.turn().catch((error: unknown) => {
      // It is logged by whoever found it out.
      if (!(error instanceof StoreChangedError)) throw error;
    });
    this.#relay();
    this.#compare();
  }

  #relay(): void {
    const { id, clock, log } = this.#options;
    const nowMs = clock.monotonicMs();
    const unreached = relayedBy(id, this.#exchange.own(), this.#exchange.others());
    const since = [...(unreached?.nodes ?? [])].map(
      (nodeId) => [nodeId, this.#unreachedSinceMs.get(nodeId) ?? nowMs] as const,
    );
    this.#unreachedSinceMs = new Map(since);
    const nodes = new Set(since.flatMap(([nodeId, sinceMs]) => (nowMs - sinceMs >= RELAYS_AFTER_MS ? [nodeId] : [])));
    const before = this.#relayed;
    this.#relayed = unreached && { epoch: unreached.epoch, nodes };
    for (const nodeId of nodes) {
      if (before?.epoch === this.#relayed?.epoch && before?.nodes.has(nodeId)) continue;
      log.warn({ nodeId }, "the leader does not reach this node: its commands go by this coordinator");
      for (const listener of this.#relayListeners) listener(nodeId);
    }
  }

  #compare(): void {
    const { clock, log, leaderEpoch } = this.#options;
    const nowMs = clock.monotonicMs();
    if (!reachesFarFewer(this.#exchange.own(), this.#exchange.others().values())) {
      this.#outreachedSinceMs = null;
      return;
    }
    this.#outreachedSinceMs ??= nowMs;
    if (nowMs - this.#outreachedSinceMs < RESIGNS_AFTER_MS) return;
    this.#outreachedSinceMs = null;
    this.#abstainsUntilMs = nowMs + ABSTAINS_FOR_MS;
    if (leaderEpoch() !== null) log.warn("another coordinator reaches far more nodes: this one no longer leads");
  }
}

/**
 * The links that are open here: at most one for each node, the newest. Next to it there may be the heartbeats of the
 * agent's thread, which belong to that link and count until a newer one opens, or until the node is declared lost.
 */

import type { Clock } from "@elastic/std/clock.ts";
import { status } from "@grpc/grpc-js";
import type { FollowedLinks, Liveness } from "../domain/link-liveness.ts";
import type { NodeSighting, NodeSightings } from "../nodes/node-sightings.ts";
import type { AgentHeartbeats } from "./agent-heartbeats.ts";
import type { Link } from "./link.ts";
import { DECLARED_LOST, Refusal, STOPPED } from "./refusal.ts";
import { silenceReason, unresponsiveReason } from "./silence-reason.ts";

/** Longer than an agent's thread vouches for its event loop (agent/link/heartbeat-stream.ts), by the time a link takes to break off. */
const VOUCHED_FOR_MS_MAX = 135_000;

export class Links implements FollowedLinks, NodeSightings {
  readonly #clock: Clock;
  readonly #open = new Map<string, Link>();
  /** By node, of its newest link. */
  readonly #heartbeats = new Map<string, AgentHeartbeats>();
  /** By node: when its link ended, where it has none. */
  readonly #endedMs = new Map<string, number>();
  /** By node: the link, open or not, whose heartbeats count. */
  readonly #vouchedLinkIds = new Map<string, string>();
  /** Of nodes whose link has ended: when the last message on it, or the last heartbeat, came. */
  readonly #lastSeenMs = new Map<string, number>();
  /** Likewise. */
  readonly #lastSightings = new Map<string, NodeSighting>();
  readonly #listeners = new Set<(nodeId: string) => void>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get size(): number {
    return this.#open.size;
  }

  get(nodeId: string): Link | undefined {
    return this.#open.get(nodeId);
  }

  values(): Iterable<Link> {
    return this.#open.values();
  }

  of(nodeId: string): Liveness | null {
    const lastSeenMs = this.#lastSeenOf(nodeId);
    if (lastSeenMs === null) return null;
    if (this.#open.has(nodeId)) return { kind: "linked", lastSeenMs };
    return { kind: this.#heartbeats.has(nodeId) ? "unresponsive" : "unlinked", lastSeenMs };
  }

  /** Of each node that ever had a link here. */
  *lastSeen(): Iterable<readonly [nodeId: string, lastSeenMs: number]> {
    for (const nodeId of new Set([...this.#lastSeenMs.keys(), ...this.#open.keys()])) {
      const lastSeenMs = this.#lastSeenOf(nodeId);
      if (lastSeenMs !== null) yield [nodeId, lastSeenMs];
    }
  }

  sighting(nodeId: string): NodeSighting | null {
    const link = this.#open.get(nodeId);
    const seen = link === undefined ? this.#lastSightings.get(nodeId) : this.#see(link);
    const heartbeats = this.#heartbeats.get(nodeId);
    if (seen === undefined || heartbeats === undefined) return seen ?? null;
    const lastSeenAt = Math.max(seen.lastSeenAt, this.#wallTimeOf(heartbeats.lastSeenMs));
    return { ...seen, lastSeenAt, silenceReason: unresponsiveReason(heartbeats) ?? seen.silenceReason };
  }

  subscribe(listener: (nodeId: string) => void): () => void {
    const entry = (nodeId: string) => listener(nodeId);
    this.#listeners.add(entry);
    return () => this.#listeners.delete(entry);
  }

  /** Fences the link that the node had before: two agents with one identity never both get commands. */
  open(link: Link): void {
    const { nodeId } = link;
    const before = this.#open.get(nodeId);
    this.#open.set(nodeId, link);
    this.#endedMs.delete(nodeId);
    this.#lastSeenMs.delete(nodeId);
    this.#vouchedLinkIds.set(nodeId, link.id);
    const superseded = new Refusal(status.ABORTED, `a newer link of node ${nodeId} has taken over`);
    before?.end(superseded);
    this.#heartbeats.get(nodeId)?.end(superseded);
    this.#notify(nodeId);
  }

  /** Whether it was open until now: a link that was fenced is gone already. */
  close(link: Link): boolean {
    const { nodeId, endedBy } = link;
    if (this.#open.get(nodeId) !== link) return false;
    this.#lastSeenMs.set(nodeId, this.#lastSeenOf(nodeId) ?? link.lastSeenMs);
    this.#lastSightings.set(nodeId, this.#see(link));
    this.#open.delete(nodeId);
    this.#endedMs.set(nodeId, this.#clock.monotonicMs());
    if (endedBy === DECLARED_LOST || endedBy === STOPPED) this.#endHeartbeats(nodeId, endedBy);
    this.#notify(nodeId);
    return true;
  }

  /** From now on they count for the node; else why they do not. */
  openHeartbeats(heartbeats: AgentHeartbeats): Refusal | null {
    const { nodeId, linkId } = heartbeats;
    if (linkId === "" || this.#vouchedLinkIds.get(nodeId) !== linkId) return NOT_THE_NEWEST;
    const before = this.#heartbeats.get(nodeId);
    this.#heartbeats.set(nodeId, heartbeats);
    before?.end(NEWER_HEARTBEATS);
    this.#notify(nodeId);
    return null;
  }

  /** Whether its event loop has been silent, and its link away, for no longer than a loop may take to come back. */
  mayBeVouchedFor(nodeId: string, loopSilentMs: number): boolean {
    const awayMs = this.#clock.monotonicMs() - (this.#endedMs.get(nodeId) ?? Number.POSITIVE_INFINITY);
    return loopSilentMs <= VOUCHED_FOR_MS_MAX && awayMs <= VOUCHED_FOR_MS_MAX;
  }

  closeHeartbeats(heartbeats: AgentHeartbeats): void {
    const { nodeId } = heartbeats;
    if (this.#heartbeats.get(nodeId) !== heartbeats) return;
    const lastSeenMs = this.#lastSeenOf(nodeId);
    this.#heartbeats.delete(nodeId);
    const link = this.#open.get(nodeId);
    // A link that has taken over was seen when it opened, which is later.
    if (link === undefined) this.#lastSeenMs.set(nodeId, lastSeenMs ?? heartbeats.lastSeenMs);
    else if (link.id === heartbeats.linkId) link.lastSeenMs = Math.max(link.lastSeenMs, heartbeats.lastSeenMs);
    this.#notify(nodeId);
  }

  /** Only a hello makes it ready again: its link ends, and no heartbeat counts until there is another one. */
  declareLost(nodeId: string): void {
    const link = this.#open.get(nodeId);
    if (link === undefined) this.#endHeartbeats(nodeId, DECLARED_LOST);
    else link.end(DECLARED_LOST);
  }

  /** Of every node, since this coordinator stops. */
  stop(): void {
    for (const link of [...this.#open.values()]) link.end(STOPPED);
    for (const nodeId of [...this.#heartbeats.keys()]) this.#endHeartbeats(nodeId, STOPPED);
  }

  #endHeartbeats(nodeId: string, refusal: Refusal): void {
    this.#vouchedLinkIds.delete(nodeId);
    this.#heartbeats.get(nodeId)?.end(refusal);
  }

  #lastSeenOf(nodeId: string): number | null {
    const times = [this.#open.get(nodeId), this.#heartbeats.get(nodeId)].map((seen) => seen?.lastSeenMs);
    const all = [...times, this.#lastSeenMs.get(nodeId)].filter((time) => time !== undefined);
    return all.length === 0 ? null : Math.max(...all);
  }

  #see(link: Link): NodeSighting {
    const { notAfter: certificateEndsAt, gpuReadings } = link;
    const lastSeenAt = this.#wallTimeOf(link.lastSeenMs);
    return { lastSeenAt, certificateEndsAt, silenceReason: silenceReason(link), gpuReadings };
  }

  #wallTimeOf(monotonicMs: number): number {
    return this.#clock.now() - Math.round(this.#clock.monotonicMs() - monotonicMs);
  }

  #notify(nodeId: string): void {
    for (const listener of this.#listeners) listener(nodeId);
  }
}

const NOT_THE_NEWEST = new Refusal(
  status.FAILED_PRECONDITION,
  "these heartbeats are of no link that is the node's newest here: they count again after the next hello",
);
const NEWER_HEARTBEATS = new Refusal(status.ABORTED, "newer heartbeats of the same link have taken over");

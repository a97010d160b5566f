/** The links that are open here: at most one for each node, the newest. */

import type { Clock } from "@elastic/std/clock.ts";
import { status } from "@grpc/grpc-js";
import type { FollowedLinks, Liveness } from "../domain/link-liveness.ts";
import type { NodeSighting, NodeSightings } from "../nodes/node-sightings.ts";
import type { Link } from "./link.ts";
import { Refusal } from "./refusal.ts";
import { silenceReason } from "./silence-reason.ts";

export class Links implements FollowedLinks, NodeSightings {
  readonly #clock: Clock;
  readonly #open = new Map<string, Link>();
  /** Of nodes whose link has ended: when the last message on it came. */
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
    const link = this.#open.get(nodeId);
    if (link !== undefined) return { kind: "linked", lastSeenMs: link.lastSeenMs };
    const lastSeenMs = this.#lastSeenMs.get(nodeId);
    return lastSeenMs === undefined ? null : { kind: "unlinked", lastSeenMs };
  }

  /** Of each node that ever had a link here. */
  *lastSeen(): Iterable<readonly [nodeId: string, lastSeenMs: number]> {
    yield* this.#lastSeenMs;
    for (const link of this.#open.values()) yield [link.nodeId, link.lastSeenMs];
  }

  sighting(nodeId: string): NodeSighting | null {
    const link = this.#open.get(nodeId);
    return link === undefined ? (this.#lastSightings.get(nodeId) ?? null) : this.#see(link);
  }

  subscribe(listener: (nodeId: string) => void): () => void {
    const entry = (nodeId: string) => listener(nodeId);
    this.#listeners.add(entry);
    return () => this.#listeners.delete(entry);
  }

  /** Fences the link that the node had before: two agents with one identity never both get commands. */
  open(link: Link): void {
    const before = this.#open.get(link.nodeId);
    this.#open.set(link.nodeId, link);
    this.#lastSeenMs.delete(link.nodeId);
    before?.end(new Refusal(status.ABORTED, `a newer link of node ${link.nodeId} has taken over`));
    this.#notify(link.nodeId);
  }

  /** Whether it was open until now: a link that was fenced is gone already. */
  close(link: Link): boolean {
    if (this.#open.get(link.nodeId) !== link) return false;
    this.#open.delete(link.nodeId);
    this.#lastSeenMs.set(link.nodeId, link.lastSeenMs);
    this.#lastSightings.set(link.nodeId, this.#see(link));
    this.#notify(link.nodeId);
    return true;
  }

  #see(link: Link): NodeSighting {
    const lastSeenAt = this.#clock.now() - Math.round(this.#clock.monotonicMs() - link.lastSeenMs);
    const { notAfter: certificateEndsAt, gpuReadings } = link;
    return { lastSeenAt, certificateEndsAt, silenceReason: silenceReason(link), gpuReadings };
  }

  #notify(nodeId: string): void {
    for (const listener of this.#listeners) listener(nodeId);
  }
}

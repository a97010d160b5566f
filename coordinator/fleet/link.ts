/** One open stream of one agent: what was sent on it, what the agent carries, when it was last seen. */

import { randomUUID } from "node:crypto";
import type { ConnectRequest, ConnectResponse } from "@elastic/proto/gen/elastic/fleet/v1/fleet.ts";
import type { Instant } from "@elastic/std/clock.ts";
import type { ServerDuplexStream } from "@grpc/grpc-js";
import { status } from "@grpc/grpc-js";
import type { GpuReading } from "../nodes/node-sightings.ts";
import type { NodeIdentity } from "./node-identity.ts";
import { Refusal } from "./refusal.ts";

export type LinkCall = ServerDuplexStream<ConnectRequest, ConnectResponse>;

/** Messages that wait because the agent does not read; more than these and it is cut off. */
const UNREAD_MESSAGES_MAX = 10_000;

export class Link {
  /** By which heartbeats of the agent's thread are of this link. */
  readonly id = randomUUID();
  /** Of the agent's certificate. */
  readonly identity: NodeIdentity;
  readonly nodeId: string;
  readonly sessionId: string;
  /** The end of its certificate. */
  readonly notAfter: Instant;
  /** Attempts (by key) that the agent reported to carry, and those it was sent to start, until they end. */
  readonly known = new Set<string>();
  /** Attempts (by key) whose end is being committed from this agent's own report. */
  readonly reporting = new Set<string>();
  lastSeenMs: number;
  /** Of the last heartbeat. */
  gpuReadings: ReadonlyMap<string, GpuReading> = new Map();
  /** What the agent received last, the welcome as 0, and when it was sent. */
  acknowledged: { readonly sequence: bigint; readonly sentMs: number } | null = null;
  /** The highest of its heartbeats. */
  lastSequence = 0n;
  /** Whether the stream is not read, since what came before is still being processed. */
  isHeldBack = false;
  readonly #call: LinkCall;
  #ended = false;
  #endedBy: Refusal | null = null;

  constructor(call: LinkCall, of: Pick<Link, "identity" | "sessionId">, nowMs: number) {
    const { identity, sessionId } = of;
    this.#call = call;
    this.identity = identity;
    this.nodeId = identity.nodeId;
    this.sessionId = sessionId;
    this.notAfter = identity.notAfter;
    this.lastSeenMs = nowMs;
  }

  get ended(): boolean {
    return this.#ended;
  }

  /** Null while it is open, and where the agent or the network ended it. */
  get endedBy(): Refusal | null {
    return this.#endedBy;
  }

  send(message: NonNullable<ConnectResponse["message"]>): void {
    if (this.#ended) return;
    this.#call.write({ message });
    if (this.#call.writableLength > UNREAD_MESSAGES_MAX) {
      this.end(new Refusal(status.RESOURCE_EXHAUSTED, "the agent does not read what it is sent"));
    }
  }

  /** Ends the stream with that status. */
  end(refusal: Refusal): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#endedBy = refusal;
    this.#call.emit("error", refusal);
  }

  /** The stream has ended on its own. */
  markEnded(): void {
    this.#ended = true;
  }
}

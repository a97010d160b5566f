/**
 * Which delivery is sent next. Every endpoint has its own queue and few places, so that a slow one delays only
 * itself; and endpoints that are not proven share a lane that leaves the others at least half of all places.
 * Holds no clock: times come as arguments.
 */
import type { Instant } from "@elastic/std/clock.ts";
import { MinHeap } from "@elastic/std/heap.ts";
import { NEW_PACE, type Pace, paceAfter, type Verdict } from "./endpoint-pace.ts";

export interface QueueLimits {
  /** Of all endpoints together. */
  readonly inFlightMax: number;
  /** Of those, by endpoints that are not proven. */
  readonly unprovenInFlightMax: number;
  /** Of one proven endpoint; others are sent one at a time. */
  readonly endpointInFlightMax: number;
}

export const QUEUE_LIMITS: QueueLimits = { inFlightMax: 256, unprovenInFlightMax: 128, endpointInFlightMax: 4 };

/** A place that is held until `done` releases it. */
export interface Place {
  readonly id: string;
  readonly endpoint: string;
  /** Whose lane it counts in. */
  readonly proven: boolean;
}

/** When a delivery is due. A new entry for a delivery invalidates its old one, which stays in the heap. */
interface Due {
  readonly id: string;
  readonly endpoint: Endpoint;
  readonly at: Instant;
}

/** When an endpoint can be sent to next; the same holds for it. */
interface Turn {
  readonly endpoint: Endpoint;
  readonly proven: boolean;
  readonly at: Instant;
}

interface Endpoint {
  readonly name: string;
  readonly dues: MinHeap<Due>;
  inFlight: number;
  pace: Pace;
  turn: Turn | null;
}

export class DeliveryQueue {
  readonly #limits: QueueLimits;
  readonly #endpoints = new Map<string, Endpoint>();
  readonly #dues = new Map<string, Due>();
  readonly #sending = new Map<string, Endpoint>();
  readonly #lanes = { proven: new MinHeap<Turn>(isEarlier), unproven: new MinHeap<Turn>(isEarlier) };
  readonly #inFlight = { all: 0, unproven: 0 };

  constructor(limits: QueueLimits = QUEUE_LIMITS) {
    this.#limits = limits;
  }

  /** Deliveries that wait or are being sent. */
  get size(): number {
    return this.#dues.size + this.#sending.size;
  }

  /** The delivery is due at that time, whatever was said of it before. */
  put(id: string, endpointName: string, at: Instant): void {
    const endpoint = this.#endpoint(endpointName);
    const due = { id, endpoint, at };
    this.#dues.set(id, due);
    if (this.#sending.has(id)) return;
    endpoint.dues.push(due);
    this.#arrange(endpoint);
  }

  remove(id: string): void {
    const due = this.#dues.get(id);
    if (!this.#dues.delete(id) || due === undefined) return;
    this.#arrange(due.endpoint);
  }

  /** Nothing waits for the endpoint any more, and nothing will. */
  forget(endpointName: string): void {
    this.#endpoints.delete(endpointName);
  }

  /** What is to be sent now: of all endpoints that have their turn that which has waited longest. Null for nothing. */
  take(now: Instant): Place | null {
    const turn = this.#nextTurn();
    if (turn === null || turn.at > now) return null;
    const { endpoint, proven } = turn;
    const due = this.#headOf(endpoint);
    if (due === null) throw new Error(`endpoint ${endpoint.name} has its turn and nothing to send`);
    endpoint.dues.pop();
    this.#dues.delete(due.id);
    this.#sending.set(due.id, endpoint);
    this.#count(endpoint, proven, 1);
    this.#arrange(endpoint);
    return { id: due.id, endpoint: endpoint.name, proven };
  }

  /** Gives the place back. `verdict` is null where nothing was sent. */
  done({ id, proven }: Place, verdict: Verdict | null, retryAfterMs: number | null, now: Instant): void {
    const endpoint = this.#sending.get(id);
    if (endpoint === undefined) throw new Error(`delivery ${id} is not being sent`);
    this.#sending.delete(id);
    this.#count(endpoint, proven, -1);
    if (verdict !== null) endpoint.pace = paceAfter(endpoint.pace, verdict, retryAfterMs, now);
    const due = this.#dues.get(id);
    if (due !== undefined) endpoint.dues.push(due);
    this.#arrange(endpoint);
  }

  /** When something can be taken, if nothing else happens until then; null when nothing can. */
  nextAt(): Instant | null {
    return this.#nextTurn()?.at ?? null;
  }

  /** When what waits longest was due; null when nothing waits. Looks at every endpoint. */
  oldestDueAt(): Instant | null {
    let oldest: Instant | null = null;
    for (const endpoint of this.#endpoints.values()) {
      const at = this.#headOf(endpoint)?.at ?? null;
      if (at !== null && (oldest === null || at < oldest)) oldest = at;
    }
    return oldest;
  }

  /** The earliest turn in a lane that has a place left. */
  #nextTurn(): Turn | null {
    if (this.#inFlight.all >= this.#limits.inFlightMax) return null;
    const proven = headOf(this.#lanes.proven);
    const hasRoom = this.#inFlight.unproven < this.#limits.unprovenInFlightMax;
    const unproven = hasRoom ? headOf(this.#lanes.unproven) : null;
    if (proven === null || unproven === null) return proven ?? unproven;
    return isEarlier(unproven, proven) ? unproven : proven;
  }

  /** Recomputes when the endpoint has its turn. */
  #arrange(endpoint: Endpoint): void {
    const { pace, turn, inFlight } = endpoint;
    const due = this.#headOf(endpoint);
    if (due === null || inFlight >= (pace.proven ? this.#limits.endpointInFlightMax : 1)) {
      endpoint.turn = null;
      return;
    }
    const at = Math.max(due.at, pace.heldUntil);
    if (turn?.at === at && turn.proven === pace.proven) return;
    endpoint.turn = { endpoint, proven: pace.proven, at };
    this.#lanes[pace.proven ? "proven" : "unproven"].push(endpoint.turn);
  }

  #headOf({ dues }: Endpoint): Due | null {
    for (let due = dues.peek(); due !== undefined; due = dues.peek()) {
      if (this.#dues.get(due.id) === due) return due;
      dues.pop();
    }
    return null;
  }

  #count(endpoint: Endpoint, proven: boolean, change: 1 | -1): void {
    endpoint.inFlight += change;
    this.#inFlight.all += change;
    if (!proven) this.#inFlight.unproven += change;
  }

  #endpoint(name: string): Endpoint {
    const known = this.#endpoints.get(name);
    if (known !== undefined) return known;
    const endpoint = { name, dues: new MinHeap<Due>(isBefore), inFlight: 0, pace: NEW_PACE, turn: null };
    this.#endpoints.set(name, endpoint);
    return endpoint;
  }
}

function headOf(lane: MinHeap<Turn>): Turn | null {
  for (let turn = lane.peek(); turn !== undefined; turn = lane.peek()) {
    if (turn.endpoint.turn === turn) return turn;
    lane.pop();
  }
  return null;
}

/** Of deliveries that are due at the same time the older goes first. */
function isBefore(a: Due, b: Due): boolean {
  return a.at < b.at || (a.at === b.at && a.id < b.id);
}

function isEarlier(a: { readonly at: Instant }, b: { readonly at: Instant }): boolean {
  return a.at < b.at;
}

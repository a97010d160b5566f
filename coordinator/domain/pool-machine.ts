/**
 * A machine of a pool. The record is written before its driver is called, and its id is that of the request: the call
 * is repeated with the same id until the driver responds, by whichever coordinator leads.
 *
 *   requested ─▶ booting ─▶ joined ─▶ draining ─▶ releasing ─▶ released
 *   requested | booting ──boot deadline──▶ releasing        joined ──evicted, lost, not as offered──▶ releasing
 *
 * One that joins unrequested begins as booting. What its driver did not add is no matter for the driver: it leaves the fleet, and
 * whoever claimed to be it decides about no machine of others. The record of a released machine stays for what it cost.
 */
import type { Instant } from "@elastic/std/clock.ts";
import { DAY_MS } from "./pool.ts";

export type PoolMachineState = "requested" | "booting" | "joined" | "draining" | "releasing" | "released";

/** Calls of its driver within the current state. */
interface DriverCalls {
  readonly failed: number;
  readonly nextAt: Instant;
  /** Null while none has failed. */
  readonly lastError: string | null;
}

/** The certificate that it was given, so that a machine whose response was lost may repeat the request. */
export interface MachineEnrollment {
  readonly at: Instant;
  /** SHA-256 of the key that the certificate is for. */
  readonly publicKeySha256: string;
  readonly certificatePem: string;
  readonly notAfter: Instant;
}

export interface PoolMachine {
  readonly id: string;
  readonly poolId: string;
  readonly requestedAt: Instant;
  /** Of the machine when it was requested. */
  readonly costPerHour: number;
  readonly state: PoolMachineState;
  readonly since: Instant;
  /** As the driver names it; null until it has. */
  readonly machine: string | null;
  /** Null until it is enrolled. */
  readonly nodeId: string | null;
  /** When it was first ready as a node, with what the pool offers. */
  readonly joinedAt: Instant | null;
  /** Why it never served, or was removed otherwise than for want of work. */
  readonly failure: { readonly at: Instant; readonly reason: string } | null;
  readonly calls: DriverCalls;
  readonly releasedAt: Instant | null;
  readonly enrollment: MachineEnrollment | null;
  /** Left out where a request brought it. */
  readonly unrequested?: true;
  /** Of an unrequested one: the driver named it in a response, as where it grew twice. Left out otherwise. */
  readonly namedByDriver?: true;
}

/** Of what may go into a command of a driver as it is. */
const MACHINE_NAME = /^[a-z0-9][a-z0-9._-]{0,127}$/;
export const MACHINE_NAME_RULE =
  "1 to 128 lower-case letters, digits, dots, dashes and underscores, a letter or digit first";

export function isMachineName(text: string): boolean {
  return MACHINE_NAME.test(text);
}

/** A spent day is counted from released ones too. */
const RETAINED_MS = DAY_MS + 3_600_000;
const RETRY_MS_MIN = 2_000;
const RETRY_MS_MAX = 300_000;
const ERROR_CHARS_MAX = 300;

const NO_CALLS = { failed: 0, lastError: null };

export function requestMachine(
  { poolId, id, costPerHour }: Pick<PoolMachine, "poolId" | "id" | "costPerHour">,
  now: Instant,
): PoolMachine {
  return {
    id,
    poolId,
    requestedAt: now,
    costPerHour,
    state: "requested",
    since: now,
    machine: null,
    nodeId: null,
    joinedAt: null,
    failure: null,
    calls: { ...NO_CALLS, nextAt: now },
    releasedAt: null,
    enrollment: null,
  };
}

/** One that nobody requested, of which the driver's name is known. */
export function unrequestedMachine(
  of: Pick<PoolMachine, "poolId" | "id" | "costPerHour"> & { readonly machine: string },
  now: Instant,
): PoolMachine {
  return { ...requestMachine(of, now), state: "booting", machine: of.machine, unrequested: true };
}

/** The driver has begun to add it. */
export function begun(machine: PoolMachine, name: string, now: Instant): PoolMachine {
  const named = { ...machine, machine: machine.machine ?? name };
  return machine.state === "requested" ? inState(named, "booting", now) : named;
}

export function enrolledMachine(machine: PoolMachine, nodeId: string, enrollment: MachineEnrollment): PoolMachine {
  return { ...machine, nodeId, enrollment };
}

export function joined(machine: PoolMachine, now: Instant): PoolMachine {
  return { ...inState(machine, "joined", now), joinedAt: machine.joinedAt ?? now };
}

export function draining(machine: PoolMachine, now: Instant): PoolMachine {
  return inState(machine, "draining", now);
}

/** The driver is to remove it. `failure`: why, where that is no want of work. */
export function releasing(machine: PoolMachine, failure: string | null, now: Instant): PoolMachine {
  const after = inState(machine, "releasing", now);
  return failure === null || machine.failure !== null ? after : { ...after, failure: { at: now, reason: failure } };
}

/** The driver has removed it. */
export function released(machine: PoolMachine, now: Instant): PoolMachine {
  return { ...inState(machine, "released", now), releasedAt: now };
}

/** A call of its driver failed: the next comes later each time. */
export function callFailed(machine: PoolMachine, error: string, now: Instant): PoolMachine {
  const failed = machine.calls.failed + 1;
  const waitMs = Math.min(RETRY_MS_MAX, RETRY_MS_MIN * 2 ** Math.min(failed - 1, 20));
  return {
    ...machine,
    calls: { failed, nextAt: now + waitMs, lastError: error.slice(0, ERROR_CHARS_MAX).toWellFormed() },
  };
}

/**
 * Whether its driver added it, as far as the driver's own responses say. One that only claims so, with a token of the pool, costs
 * nothing, holds no further one up, and is none that the driver is to remove.
 */
export function isGrown({
  unrequested,
  namedByDriver,
  enrollment,
}: Pick<PoolMachine, "unrequested" | "namedByDriver" | "enrollment">): boolean {
  // Before the field was recorded: those that a driver had named never enrolled.
  return unrequested !== true || namedByDriver === true || enrollment === null;
}

const NOT_GROWN = "its driver did not add it and was not called: remove the machine yourself";

/** It leaves the fleet, and its driver is not called. */
export function dismissed(machine: PoolMachine, now: Instant): PoolMachine {
  return released({ ...machine, failure: machine.failure ?? { at: now, reason: NOT_GROWN } }, now);
}

/** Whether it costs something, as far as the driver has responded. */
export function exists({ state }: Pick<PoolMachine, "state">): boolean {
  return state !== "released";
}

/** Whether it is there for work, or on its way. */
export function isHeld({ state }: Pick<PoolMachine, "state">): boolean {
  return state === "requested" || state === "booting" || state === "joined";
}

/** Requested, and not joined yet. */
export function isComing({ state }: Pick<PoolMachine, "state">): boolean {
  return state === "requested" || state === "booting";
}

export function isMachineForgotten({ releasedAt }: PoolMachine, now: Instant): boolean {
  return releasedAt !== null && releasedAt + RETAINED_MS <= now;
}

function inState(machine: PoolMachine, state: PoolMachineState, now: Instant): PoolMachine {
  return { ...machine, state, since: now, calls: { ...NO_CALLS, nextAt: now } };
}

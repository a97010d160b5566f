/**
 * What this program understands of each kind of record: the version in which it is written, and the values of those fields
 * by which something is decided. A record of a later version, or with a value that is not listed, is not read at all. Nor is one
 * that lacks a field without which nothing can be decided (deciding-fields.ts).
 *
 * A value that is added to one of these lists, or a field that an earlier program must not lose when it writes the record
 * again, raises the version of its kind (docs/stored-data.md, Versions).
 */
import type { AgentUpgrade } from "../domain/agent-upgrade.ts";
import type { Assignment, WorkloadPhase } from "../domain/assignment.ts";
import { WORKLOAD_STEPS } from "../domain/assignment.ts";
import { BUILD_FAILURE_REASONS, type Build } from "../domain/build.ts";
import type { Delivery } from "../domain/delivery.ts";
import type { DeviceCode } from "../domain/device-code.ts";
import { FAILURE_REASONS } from "../domain/failure.ts";
import type { NodeState } from "../domain/node.ts";
import type { Pool } from "../domain/pool.ts";
import type { PoolMachineState } from "../domain/pool-machine.ts";
import type { Release } from "../domain/release.ts";
import { ROLES } from "../domain/role.ts";
import { FAILED_STEPS, ROLL_OUT_STAGES } from "../domain/roll-out.ts";
import type { Service } from "../domain/service.ts";
import type { Shell, StopCause } from "../domain/shell.ts";
import type { SourceConnection } from "../domain/source-connection.ts";
import type { BytesRef, Task } from "../domain/task.ts";
import type { AbandonedBatch } from "../domain/task-batch.ts";
import { EVENT_TYPES, TEST_EVENT_TYPE, type Webhook } from "../domain/webhook.ts";
import { DECIDING_BY_VALUE, DECIDING_FIELDS, type FieldsByValue, type FieldType } from "./deciding-fields.ts";
import type { RecordKind } from "./keys.ts";

export interface RecordSchema {
  readonly version: number;
  /** By path, such as `phase.kind`; `[]` stands for each entry of a list. A field that is absent or null is not judged. */
  readonly values: Readonly<Record<string, readonly string[]>>;
  /** Which must be there. */
  readonly deciding: Readonly<Record<string, FieldType>>;
  readonly decidingByValue: FieldsByValue | null;
}

/** Complete, or it does not compile. */
function every<V extends string>(values: Readonly<Record<V, true>>): readonly V[] {
  return Object.keys(values) as V[];
}

type KindOf<S extends { readonly kind: string }> = S["kind"];

const PLACES_OF_BYTES = every<BytesRef["where"]>({ store: true, blob: true });
const CHECKED: Partial<Record<RecordKind, RecordSchema["values"]>> = {
  tasks: {
    "phase.kind": every<KindOf<Task["phase"]>>({
      queued: true,
      running: true,
      succeeded: true,
      failed: true,
      cancelled: true,
      timed_out: true,
      expired: true,
    }),
    "phase.failure.reason": FAILURE_REASONS,
    "phase.lastFailure.reason": FAILURE_REASONS,
    "phase.result.where": PLACES_OF_BYTES,
    "input.where": PLACES_OF_BYTES,
  },
  services: {
    "state.kind": every<KindOf<Service["state"]>>({ unready: true, ready: true, failed: true, deleted: true }),
    "state.reason": FAILURE_REASONS,
    "rollOutFailure.step": FAILED_STEPS,
    "rollOutFailure.reason": FAILURE_REASONS,
  },
  deployments: { "canary.input.where": PLACES_OF_BYTES },
  "roll-outs": {
    "events[].stage": ROLL_OUT_STAGES,
    "events[].failure.step": FAILED_STEPS,
    "events[].failure.reason": FAILURE_REASONS,
  },
  shells: {
    "state.kind": every<KindOf<Shell["state"]>>({
      creating: true,
      ready: true,
      stopped: true,
      failed: true,
      deleted: true,
    }),
    "state.cause": every<StopCause>({ user: true, expired: true, idle: true, drain: true }),
    "state.reason": FAILURE_REASONS,
  },
  builds: {
    "state.kind": every<KindOf<Build["state"]>>({
      preparing: true,
      queued: true,
      running: true,
      succeeded: true,
      failed: true,
      cancelled: true,
    }),
    "state.failure.reason": BUILD_FAILURE_REASONS,
    "source.kind": every<NonNullable<Build["source"]>["kind"]>({ archive: true }),
    "release.state.kind": every<KindOf<Release["state"]>>({
      waiting: true,
      deploying: true,
      released: true,
      failed: true,
      superseded: true,
    }),
  },
  nodes: {
    state: every<NodeState>({ joining: true, ready: true, draining: true, lost: true, gone: true }),
  },
  assignments: {
    "workload.kind": every<KindOf<Assignment["workload"]>>({ deployment: true, shell: true, build: true }),
    "workload.purpose": ["run", "erase"],
  },
  workloads: {
    phase: every<WorkloadPhase>({ pulling: true, starting: true, ready: true, failed: true, stopped: true }),
    step: WORKLOAD_STEPS,
    "failure.step": WORKLOAD_STEPS,
    "failure.reason": FAILURE_REASONS,
  },
  batches: { "abandoned.why": every<AbandonedBatch>({ service_deleted: true, inputs_damaged: true }) },
  memberships: { role: ROLES },
  invitations: { role: ROLES },
  "device-codes": {
    "decision.kind": every<KindOf<NonNullable<DeviceCode["decision"]>>>({ declined: true, approved: true }),
  },
  webhooks: { "state.kind": every<KindOf<Webhook["state"]>>({ enabled: true, disabled: true }) },
  deliveries: {
    type: [...EVENT_TYPES, TEST_EVENT_TYPE],
    "phase.kind": every<KindOf<Delivery["phase"]>>({ pending: true, delivered: true, failed: true, dropped: true }),
  },
  "agent-upgrades": {
    "state.kind": every<KindOf<AgentUpgrade["state"]>>({ running: true, paused: true, completed: true }),
  },
  pools: { "driver.kind": every<KindOf<Pool["driver"]>>({ webhook: true, command: true }) },
  "pool-machines": {
    state: every<PoolMachineState>({
      requested: true,
      booting: true,
      joined: true,
      draining: true,
      releasing: true,
      released: true,
    }),
  },
  "source-connections": {
    "state.kind": every<KindOf<SourceConnection["state"]>>({ active: true, suspended: true, uninstalled: true }),
  },
};

/** Kinds that have been changed in a way that earlier programs would misread. All others are of version 1. */
const VERSIONS: Partial<Record<RecordKind, number>> = {};

export function schemaOf(kind: RecordKind): RecordSchema {
  return {
    version: VERSIONS[kind] ?? 1,
    values: CHECKED[kind] ?? {},
    deciding: DECIDING_FIELDS[kind] ?? {},
    decidingByValue: DECIDING_BY_VALUE[kind] ?? null,
  };
}

/**
 * Many tasks of one service that were accepted as one record. The tasks follow from it, each with an id that follows too: who
 * creates them, and how often it is tried, makes no difference.
 */
import type { Instant } from "@elastic/std/clock.ts";
import { derivedId } from "@elastic/std/ids.ts";
import { IDEMPOTENCY_KEPT_MS } from "./idempotency.ts";
import { type BytesRef, type NewTask, queue, type Task } from "./task.ts";

/** Fewer than the ids of a millisecond can number in their order (12 bits). */
export const BATCH_INPUTS_MAX = 1_000;
/** Of the inputs together. */
export const BATCH_BYTES_MAX = 64 * 1024 * 1024;
/** With the keys besides them, and what stands between them. */
export const BATCH_BODY_BYTES_MAX = BATCH_BYTES_MAX + 1024 * 1024;

/** Longer than an idempotency key means it. */
const KEPT_MS = IDEMPOTENCY_KEPT_MS + 3_600_000;

/** What all of its tasks have in common, and how far they have been created: in the order of their inputs. */
export interface TaskBatch extends Omit<NewTask, "input"> {
  readonly count: number;
  readonly created: number;
  /** The request as it came, a blob of the team. */
  readonly body: Pick<BytesRef, "bytes" | "sha256">;
  /** Where the array of the inputs is in it. */
  readonly inputsAt: { readonly start: number; readonly end: number };
  /** Why the others are never created. */
  readonly abandoned?: { readonly at: Instant; readonly why: AbandonedBatch };
}

export type AbandonedBatch = "service_deleted" | "inputs_damaged";

export function isComplete({ count, created, abandoned }: TaskBatch): boolean {
  return created === count || abandoned !== undefined;
}

/** How many tasks it still is to make. */
export function tasksToCome(batch: TaskBatch): number {
  return isComplete(batch) ? 0 : batch.count - batch.created;
}

export function isBatchForgotten(batch: TaskBatch, now: Instant): boolean {
  return isComplete(batch) && now - batch.createdAt >= KEPT_MS;
}

/** Of the input at `index`. The ids of a batch sort as its inputs do. */
export function taskIdAt({ id, createdAt }: Pick<TaskBatch, "id" | "createdAt">, index: number): string {
  return derivedId(createdAt, id, index);
}

export function taskAt(batch: TaskBatch, index: number, input: BytesRef): Task {
  const { count, created, body, inputsAt, abandoned, ...task } = batch;
  return queue({ ...task, id: taskIdAt(batch, index), input });
}

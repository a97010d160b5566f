/** Continues the batches whose requests broke off, while this coordinator leads: a request creates the tasks of its batch. */
import type { Loop } from "@elastic/std/loop.ts";
import { isComplete } from "../domain/task-batch.ts";
import { type LoopMetrics, startMeteredLoop } from "../metrics/loop-metrics.ts";
import type { View } from "../store/store.ts";
import { type ExpandDeps, expandBatch } from "./expand-batch.ts";

const EVERY_MS = 5_000;

export interface BatchLoopOptions extends Omit<ExpandDeps, "metrics"> {
  readonly store: ExpandDeps["store"] & { readonly view: Pick<View, "batches"> };
  readonly metrics: ExpandDeps["metrics"] & { readonly loops: LoopMetrics };
  readonly isLeading: () => boolean;
}

export function startCreatingBatches(options: BatchLoopOptions): Loop {
  const { isLeading: isActive, metrics, log } = options;
  return startMeteredLoop({
    name: "create_batches",
    everyMs: EVERY_MS,
    isActive,
    turn: (signal) => continueBatches(options, () => !signal.aborted && isActive()),
    loops: metrics.loops,
    log,
    failure: "tasks of a batch could not be created",
  });
}

/** One that fails does not hold up the others; the turn fails with the first failure. */
export async function continueBatches(
  options: Omit<BatchLoopOptions, "isLeading">,
  goesOn: () => boolean,
): Promise<void> {
  const failures: unknown[] = [];
  for (const batch of [...options.store.view.batches.values()]) {
    if (isComplete(batch.value)) continue;
    if (!goesOn()) return;
    try {
      await expandBatch(options, batch);
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
}

import { isId } from "@elastic/std/ids.ts";
import { expect, test } from "vitest";
import { BATCH_INPUTS_MAX, isBatchForgotten, taskAt, taskIdAt, tasksToCome } from "./task-batch.ts";
import { aBatch } from "./testing/records.ts";

const HOUR_MS = 3_600_000;

test("the ids of its tasks follow from the batch, differ, sort as the inputs do, and are no ids of another batch", () => {
  const batch = aBatch({ id: "s" }, { createdAt: 1_700_000_000_000 });
  const ids = Array.from({ length: BATCH_INPUTS_MAX }, (_, index) => taskIdAt(batch, index));
  expect(ids.every(isId)).toBe(true);
  expect(new Set(ids).size).toBe(BATCH_INPUTS_MAX);
  expect(ids.toSorted()).toEqual(ids);
  expect(ids.map((_, index) => taskIdAt({ ...batch }, index))).toEqual(ids);
  const other = { ...batch, id: "0".repeat(32) };
  expect(ids.filter((id, index) => id === taskIdAt(other, index))).toEqual([]);
});

test("its tasks have what the batch says, their own input, and nothing of how far the batch is", () => {
  const batch = aBatch({ id: "s" }, { priority: 3 });
  const input = { bytes: 5, sha256: "ab", where: "store" } as const;
  const task = taskAt(batch, 1, input);
  const { count, created, body, inputsAt, id, ...common } = batch;
  expect(task).toMatchObject({ ...common, id: taskIdAt(batch, 1), input, phase: { kind: "queued" } });
  for (const key of ["count", "created", "body", "inputsAt", "abandoned"]) expect(task).not.toHaveProperty(key);
});

test.each([
  [{ created: 0 }, 3],
  [{ created: 2 }, 1],
  [{ created: 3 }, 0],
  [{ created: 1, abandoned: { at: 1, why: "service_deleted" } }, 0],
] as const)(
  "of %o there are %i tasks to come, and it is forgotten after 25 hours only where there are none",
  (given, toCome) => {
    const batch = aBatch({ id: "s" }, { createdAt: 0, ...given });
    expect(tasksToCome(batch)).toBe(toCome);
    expect(isBatchForgotten(batch, 25 * HOUR_MS - 1)).toBe(false);
    expect(isBatchForgotten(batch, 25 * HOUR_MS)).toBe(toCome === 0);
  },
);

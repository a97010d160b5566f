import { expect, test } from "vitest";
import { SeriesBook } from "./series-book.ts";

const NOW = 1_700_000_000_000;
const IDLE = { queued: 0, running: 0, workloads: 0, gpus: 0, gpusBusy: 0, memoryBytes: 0 };
const USAGE = { phase: "succeeded", finishedAt: NOW, queueMs: 1, runMs: 1, gpuMs: 0, slotMs: 0 } as const;

test("keeps no more services than it may, and forgets the one that was without work for longest", () => {
  const book = new SeriesBook(2);
  for (const id of ["a", "b", "a", "c"]) book.addEnded(id, USAGE);
  expect([book.size, ["a", "b", "c"].map((id) => book.get(id) !== undefined)]).toEqual([2, [true, false, true]]);
  book.addSample("d", { ...IDLE, workloads: 1 }, NOW);
  expect(["a", "c", "d"].map((id) => book.get(id) !== undefined)).toEqual([false, true, true]);
});

test("keeps no service for nothing, and shows of a known one that it has nothing", () => {
  const book = new SeriesBook();
  book.addSample("idle", IDLE, NOW);
  expect(book.get("idle")).toBeUndefined();
  book.addEnded("known", USAGE);
  book.addSample("known", IDLE, NOW);
  const minute = Math.floor(NOW / 60_000) * 60_000;
  expect(book.get("known")?.figures({ from: minute, before: minute + 60_000 }, 60_000).sampled).toEqual(IDLE);
});

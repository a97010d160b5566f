import { systemClock } from "@elastic/std/clock.ts";
import { createLog } from "@elastic/std/log.ts";
import { expect, test } from "vitest";
import type { EndedTask, NewestPage } from "../archive/archive.ts";
import { rebuild } from "./rebuild.ts";

const SILENT = createLog({ name: "test", level: "silent" });
const USAGE = { phase: "succeeded", finishedAt: 1, queueMs: 1, runMs: 1, gpuMs: 0, slotMs: 0 } as const;

/** Tasks that were created at 1, 2, 3…, a page of which is at most 500. */
function archiveOf(count: number) {
  const pages: NewestPage[] = [];
  const idOf = (n: number) => String(n).padStart(8, "0");
  const newest = async (page: NewestPage): Promise<readonly EndedTask[]> => {
    pages.push(page);
    const last = page.olderThan === null ? count : Number(page.olderThan) - 1;
    const numbers = Array.from({ length: Math.max(0, last - page.from + 1) }, (_, index) => last - index);
    return numbers.slice(0, page.limit).map((n) => ({ id: idOf(n), serviceId: "s", createdAt: n, usage: USAGE }));
  };
  return { newest, pages };
}

async function read(archive: Pick<ReturnType<typeof archiveOf>, "newest">, given: { tasksMax?: number } = {}) {
  const found: string[] = [];
  let readBackTo = Number.POSITIVE_INFINITY;
  await rebuild(
    {
      archive,
      clock: systemClock,
      log: SILENT,
      from: 100,
      isCounted: (id) => Number(id) % 2 === 0,
      onTask: ({ id }) => found.push(id),
      onReadBackTo: (instant) => {
        readBackTo = instant;
      },
      ...given,
    },
    new AbortController().signal,
  );
  return { found, readBackTo };
}

test("adds each task of the time that the store does not have, the newest first", async () => {
  const { found, readBackTo } = await read(archiveOf(1_700));
  expect([found.length, found[0], found.at(-1), readBackTo]).toEqual([800, "00001699", "00000101", 100]);
  expect(new Set(found).size).toBe(800);
});

test("reads no more than it may, and says how far back that is", async () => {
  const { found, readBackTo } = await read(archiveOf(5_000), { tasksMax: 1_000 });
  expect([found.at(-1), readBackTo]).toEqual(["00004001", 4_001]);
});

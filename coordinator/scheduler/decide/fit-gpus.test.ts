import fc from "fast-check";
import { expect, test } from "vitest";
import type { NodeGpu } from "../../domain/node.ts";
import { aGpu } from "../../domain/testing/records.ts";
import { fitGpus } from "./fit-gpus.ts";

const GIB = 2 ** 30;
const h100 = (uuid: string, more: Partial<NodeGpu> = {}) => aGpu(uuid, more);
const slice = (uuid: string, gib: number, more: Partial<NodeGpu> = {}) =>
  aGpu(uuid, { memoryBytes: gib * GIB, migProfile: `${Math.ceil(gib / 10)}g.${gib}gb`, parentUuid: "P", ...more });

function fits(wish: Partial<Parameters<typeof fitGpus>[0]>, free: readonly NodeGpu[]): readonly string[] | null {
  const gpus = fitGpus({ gpuCount: 1, gpuModel: null, gpuMemoryBytes: 0, ...wish }, free);
  return gpus === null ? null : gpus.map(({ uuid }) => uuid);
}

const CUT = [h100("whole"), slice("big", 40), slice("small-1", 10), slice("small-2", 10)];

test.each([
  { wish: {}, gets: ["small-1"] },
  { wish: { gpuMemoryBytes: 11 * GIB }, gets: ["big"] },
  { wish: { gpuMemoryBytes: 41 * GIB }, gets: ["whole"] },
  { wish: { gpuMemoryBytes: 81 * GIB }, gets: null },
  { wish: { gpuModel: "1g.10gb" }, gets: ["small-1"] },
  { wish: { gpuModel: "H100 4g.40gb" }, gets: ["big"] },
  { wish: { gpuModel: "2g.20gb" }, gets: null },
  { wish: { gpuModel: "A100 1g.10gb" }, gets: null },
  { wish: { gpuModel: "H100" }, gets: ["whole"] },
  { wish: { gpuModel: "H100", gpuMemoryBytes: 20 * GIB }, gets: ["big"] },
  { wish: { gpuCount: 2 }, gets: null },
  { wish: { gpuCount: 0 }, gets: [] },
])("a machine that is cut gives the smallest that does: $wish", ({ wish, gets }) => {
  expect(fits(wish, CUT)).toEqual(gets);
});

test("assigns several GPUs as full ones, since a program sees one instance at most", () => {
  expect(fits({ gpuCount: 2 }, [slice("s1", 10), slice("s2", 10), h100("a"), h100("b")])).toEqual(["a", "b"]);
});

test("a GPU in quarantine is given to nobody", () => {
  const ill = { unhealthyReason: "the GPU fell off the bus (Xid 79)" };
  expect(fits({}, [slice("small", 10, ill), h100("whole")])).toEqual(["whole"]);
  expect(fits({}, [h100("whole", ill)])).toBeNull();
});

test("over 1,000 random placements each GPU and instance has one tenant, none is ill, and each is as small as can be", () => {
  let placed = 0;
  const machine = [
    ...["a", "b"].map((uuid) => h100(uuid)),
    ...[10, 10, 10, 20, 40].map((gib, n) => slice(`m${n}`, gib)),
  ];
  const step = fc.record({
    gpuCount: fc.integer({ min: 1, max: 2 }),
    gpuMemoryBytes: fc.constantFrom(0, 0, 15 * GIB, 60 * GIB),
    gpuModel: fc.constantFrom(null, null, "h100", "1g.10gb"),
    /** Whoever came so long ago leaves first. */
    leaves: fc.nat({ max: 2 }),
    /** Falls ill, or gets well. */
    turns: fc.constantFrom(null, ...machine.map(({ uuid }) => uuid)),
  });
  fc.assert(
    fc.property(fc.array(step, { minLength: 20, maxLength: 40 }), (steps) => {
      const tenants = new Map<string, number>();
      const ill = new Set<string>();
      for (const [tenant, { leaves, turns, ...wish }] of steps.entries()) {
        const [oldest] = [...tenants.values()].toSorted((a, b) => a - b);
        if (leaves > 0) for (const [uuid, holder] of tenants) if (holder === oldest) tenants.delete(uuid);
        if (turns !== null && !ill.delete(turns)) ill.add(turns);
        const free = machine
          .filter(({ uuid }) => !tenants.has(uuid))
          .map((gpu) => ({ ...gpu, unhealthyReason: ill.has(gpu.uuid) ? "ill" : null }));
        const given = fitGpus(wish, free);
        if (given === null) continue;
        placed += 1;
        expect(given).toHaveLength(wish.gpuCount);
        for (const gpu of given) {
          expect(tenants.has(gpu.uuid)).toBe(false);
          expect(ill.has(gpu.uuid)).toBe(false);
          expect(gpu.memoryBytes).toBeGreaterThanOrEqual(wish.gpuMemoryBytes);
          tenants.set(gpu.uuid, tenant);
        }
        const largest = Math.max(...given.map(({ memoryBytes }) => memoryBytes));
        const smaller = free.filter(({ uuid, memoryBytes }) => !tenants.has(uuid) && memoryBytes < largest);
        // None that remains would have fitted.
        for (const gpu of smaller)
          expect(fitGpus({ ...wish, gpuCount: 1 }, [gpu]) === null || wish.gpuCount > 1).toBe(true);
      }
    }),
    { numRuns: 100 },
  );
  expect(placed).toBeGreaterThan(1_000);
});

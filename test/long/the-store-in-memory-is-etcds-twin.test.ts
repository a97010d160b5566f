/** Thousands of random operations on the store in memory and on a real etcd: equal responses, revisions and events. */
import { expectEqualStores } from "@elastic/coordinator/store/testing/equal-stores.ts";
import { expect, test } from "vitest";

const SEEDS = Array.from({ length: 8 }, (_, index) => 100 + index);

test.each(SEEDS)("responds, counts and notifies as etcd does over 600 operations of seed %i", async (seed) => {
  await expectEqualStores({ seed, operations: 600 }, expect);
});

/** The store in memory, on which tests and simulations stand, responds as etcd does. The long tier tries more. */
import { test } from "vitest";
import { expectEqualStores } from "./testing/equal-stores.ts";

test.concurrent.for([1, 2])(
  "responds, counts and notifies as etcd does over 150 random operations of seed %i",
  async (seed, { expect }) => {
    await expectEqualStores({ seed, operations: 150 }, expect);
  },
);

import { expect, test } from "vitest";
import { combined, type Liveness } from "./link-liveness.ts";

const seen = (kind: Liveness["kind"], lastSeenMs: number): Liveness => ({ kind, lastSeenMs });

test.each([
  [seen("linked", 1), seen("unresponsive", 2), seen("linked", 2)],
  [seen("unlinked", 3), seen("unresponsive", 2), seen("unresponsive", 3)],
  [seen("unlinked", 1), seen("unlinked", 2), seen("unlinked", 2)],
  [null, seen("unresponsive", 2), seen("unresponsive", 2)],
])("of two coordinators that see a node as %o and %o the better counts, and the later", (one, other, both) => {
  expect(combined(one, other)).toEqual(both);
  expect(combined(other, one)).toEqual(both);
});

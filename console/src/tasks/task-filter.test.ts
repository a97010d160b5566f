import fc from "fast-check";
import { expect, test } from "vitest";
import { FAILURE_REASONS } from "./failure-advice.ts";
import { openFilterOf, queryOf, readIdPrefix, readTaskFilter } from "./task-filter.ts";
import { PHASES, STATES } from "./task-phases.ts";

const ID = "0123abcd".repeat(4);

const filter = fc.record(
  {
    service_id: fc.constant(ID),
    state: fc.constantFrom(...STATES),
    phase: fc.constantFrom(...PHASES),
    reason: fc.constantFrom(...FAILURE_REASONS),
    created_after: fc.constant("2026-11-23T10:00:00"),
    created_before: fc.constant("2026-11-24T10:00:00"),
    id_prefix: fc.integer({ min: 8, max: 32 }).map((length) => ID.slice(0, length)),
  },
  { requiredKeys: [] },
);

test("reads a filter from its link as it was", () => {
  fc.assert(
    fc.property(filter, (set) => {
      const link = new URLSearchParams(queryOf(set));
      expect(queryOf(readTaskFilter(Object.fromEntries(link)))).toEqual(set);
    }),
  );
});

test("ignores what is malformed in an address", () => {
  const malformed = [
    {},
    { page: 2, state: "PENDING ", phase: "lost", reason: "unlucky", service_id: `${ID}'` },
    { phase: 1, service_id: null, id_prefix: "0123abc", created_after: "yesterday", created_before: ["a"] },
    { id_prefix: "0123ABCD", created_after: "2026-11-23T10:00:00<script>" },
    { created_after: "2026-02-30T00:00:00", created_before: "9999-99-99T99:99:99" },
  ];
  for (const search of malformed) expect(queryOf(readTaskFilter(search))).toEqual({});
});

test("reads an id as it is pasted, or its first eight characters", () => {
  expect(readIdPrefix(` ${ID.toUpperCase()}\n`)).toBe(ID);
  expect([readIdPrefix("0123abcd"), readIdPrefix("0123abc"), readIdPrefix("poseidon")]).toEqual([
    "0123abcd",
    null,
    null,
  ]);
});

test("limits a bulk cancel to open tasks, or finds that no open task matches", () => {
  const now = Date.parse("2026-11-24T10:00:00.400Z");
  const created_before = "2026-11-24T10:00:01";
  expect(openFilterOf({ service_id: ID, state: "PENDING" }, now)).toEqual({ service_id: ID, created_before });
  expect(openFilterOf({ phase: "queued", id_prefix: "0123abcd" }, now)).toEqual({
    phase: "queued",
    id_prefix: "0123abcd",
    created_before,
  });
  for (const ended of [{ phase: "failed" }, { state: "SUCCESS" }, { reason: "cancelled" }] as const)
    expect(openFilterOf(ended, now)).toBeNull();
});

test("leaves tasks out of a bulk cancel that are created while it runs, whatever the filter says", () => {
  const now = Date.parse("2026-11-24T10:00:00Z");
  expect(openFilterOf({ created_before: "2026-11-24T09:00:00" }, now)?.created_before).toBe("2026-11-24T09:00:00");
  expect(openFilterOf({ created_before: "2027-01-01T00:00:00" }, now)?.created_before).toBe("2026-11-24T10:00:01");
});

import { expect, test } from "vitest";
import { type Change, isAffected } from "./affected.ts";

const QUERIES = [
  ["services"],
  ["services", "s1"],
  ["services", "s2"],
  ["services", "s1", "deployments"],
  ["services", "s1", "deployments", "d1"],
  ["services", "s1", "webhooks"],
  ["services", "s1", "metrics", "1h"],
  ["services", "s1", "source"],
  ["services", "s2", "source"],
  ["services", "s1", "builds", "newest"],
  ["builds", "b1"],
  ["connections"],
  ["connections", "c1", "repositories"],
  ["connections", "c2", "repositories"],
  ["webhooks", "w1", "deliveries"],
  ["deliveries", "x"],
  ["tasks", "list", { phase: "failed" }],
  ["tasks", "t1"],
  ["tasks", "t2"],
  ["keys"],
  ["me"],
];

function affected(change: Partial<Change>): string[] {
  const complete = { kind: "task", id: null, service_id: null, state: null, ...change } as const;
  return QUERIES.filter((key) => isAffected(key, complete)).map((key) =>
    key.map((part) => JSON.stringify(part)).join(" "),
  );
}

test("reads again what shows the record that changed, and nothing else", () => {
  expect(affected({ kind: "task", id: "t1" })).toEqual(['"tasks" "list" {"phase":"failed"}', '"tasks" "t1"']);
  expect(affected({ kind: "service", id: "s1", service_id: "s1" })).toEqual(['"services"', '"services" "s1"']);
  expect(affected({ kind: "deployment", id: "d1", service_id: "s1" })).toEqual([
    '"services"',
    '"services" "s1"',
    '"services" "s1" "deployments"',
    '"services" "s1" "deployments" "d1"',
  ]);
  expect(affected({ kind: "webhook", id: "w1", service_id: "s1" })).toEqual(['"services" "s1" "webhooks"']);
  expect(affected({ kind: "delivery", id: "x", service_id: "s1" })).toEqual([
    '"webhooks" "w1" "deliveries"',
    '"deliveries" "x"',
  ]);
  expect(affected({ kind: "build", id: "b1", service_id: "s1" })).toEqual([
    '"services" "s1" "builds" "newest"',
    '"builds" "b1"',
  ]);
  expect(affected({ kind: "source", id: "s1", service_id: "s1" })).toEqual(['"services" "s1" "source"']);
  expect(affected({ kind: "source_connection", id: "c1" })).toEqual([
    '"services" "s1" "source"',
    '"services" "s2" "source"',
    '"connections"',
    '"connections" "c1" "repositories"',
  ]);
  expect(affected({ kind: "key" })).toEqual(['"keys"']);
});

test("reads again everything of a kind of which any record may have changed", () => {
  expect(affected({ kind: "task" })).toEqual(['"tasks" "list" {"phase":"failed"}', '"tasks" "t1"', '"tasks" "t2"']);
});

test("reads the audit log and the quotas again after what people change, not after each task", () => {
  const change = { id: "x", service_id: null, state: null };
  for (const of of ["audit", "quotas"]) {
    expect(isAffected([of, "t"], { ...change, kind: "member" })).toBe(true);
    expect(isAffected([of, "t"], { ...change, kind: "task" })).toBe(false);
  }
});

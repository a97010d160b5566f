import { expect, test } from "vitest";
import { differencesOf } from "./settings.ts";
import { DEPLOYMENT } from "./testing/a-deployment.ts";

test("finds no difference between deployments with the same settings", () => {
  const later = {
    ...DEPLOYMENT,
    deployment_id: "f".repeat(32),
    created: "2026-11-24T10:00:00",
    state: "Retired",
  } as const;
  expect(differencesOf(DEPLOYMENT, later)).toEqual([]);
});

test("names each setting that differs with both values, in the units of the form", () => {
  const after = {
    ...DEPLOYMENT,
    tag: "v2",
    volume_id: null,
    env_names: ["TOKEN"],
    resources: { ...DEPLOYMENT.resources, memory_bytes: 4 * 1024 ** 3, node_labels: { zone: "b" } },
    scaling: { ...DEPLOYMENT.scaling, max: 8 },
  };
  expect(differencesOf(DEPLOYMENT, after)).toEqual([
    { field: "Tag", before: "v1", after: "v2" },
    { field: "Data volume", before: DEPLOYMENT.volume_id, after: "none" },
    { field: "Labels of the machine", before: "spot=, zone=a", after: "zone=b" },
    { field: "Memory (GiB)", before: "0.5", after: "4" },
    { field: "Most workloads", before: "4", after: "8" },
    { field: "Environment variables", before: "LEVEL, TOKEN", after: "TOKEN" },
  ]);
});

test("ignores the order of labels", () => {
  const { resources } = DEPLOYMENT;
  const turned = Object.fromEntries(Object.entries(resources.node_labels).reverse());
  expect(differencesOf(DEPLOYMENT, { ...DEPLOYMENT, resources: { ...resources, node_labels: turned } })).toEqual([]);
});

import { expect, test } from "vitest";
import { demandLines } from "./demand-text.ts";

test("prints a line for each kind of machine that is lacking, and why", () => {
  const item = {
    gpu_type: "H100",
    gpu_count: 2,
    gpu_memory_bytes: 80 * 2 ** 30,
    mig_profile: null,
    node_labels: { zone: "a" },
    cpu_millis: 4_000,
    memory_bytes: 2 ** 34,
    shells: false,
    workloads: 3,
    tasks: 12,
    oldest_since: "2026-11-26T10:00:00",
    oldest_seconds: 42.4,
    reason: "no_such_gpu" as const,
    message: "no machine of the fleet has 2 GPUs of H100",
  };
  const [head, first, empty, why] = demandLines({ workloads: 3, tasks: 12, items: [item] }).split("\n");
  expect(head).toMatch(/^WORKLOADS +TASKS +WAITS +GPUS OF EACH +MEMORY +CPU +LABELS +REASON$/);
  expect(first).toMatch(/^3 +12 +42s +2 x H100 of 80\.0 GiB +16\.0 GiB +4 +zone=a +no_such_gpu$/);
  expect([empty, why]).toEqual(["", item.message]);
});

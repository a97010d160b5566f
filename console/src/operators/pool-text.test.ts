import { expect, test } from "vitest";
import { budgetTexts, requirementText } from "./pool-text.ts";

test("shows what a pool has spent of each budget, and that it has none", () => {
  const money = { spent_per_hour: 4, budget_per_hour: 10, spent_in_day: 1_234.5, budget_per_day: null };
  expect(budgetTexts(money)).toEqual(["4 of 10 an hour", "1,234.5, no budget in 24 hours"]);
});

test("lists what a waiting workload requires of a machine", () => {
  const item = {
    gpu_type: "H100",
    gpu_count: 2,
    gpu_memory_bytes: 80 * 2 ** 30,
    mig_profile: null,
    node_labels: { zone: "a" },
    cpu_millis: 1_500,
    memory_bytes: 2 ** 31,
    shells: false,
    workloads: 1,
    tasks: 3,
    oldest_since: null,
    oldest_seconds: null,
    reason: "no_such_gpu",
    message: "",
  } as const;
  expect(requirementText(item)).toBe("2 × H100 with 80 GiB, 1.5 CPU, 2 GiB, zone=a");
  const withoutGpu = { ...item, gpu_count: 0, gpu_type: null, node_labels: {} };
  expect(requirementText(withoutGpu)).toBe("1.5 CPU, 2 GiB");
  expect(requirementText({ ...item, gpu_type: null, gpu_memory_bytes: 0, mig_profile: "1g.10gb" })).toContain(
    "2 × any GPU 1g.10gb, ",
  );
});

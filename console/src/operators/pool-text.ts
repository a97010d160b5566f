/** What a pool costs and what waiting workloads require, for a person. Pure. */
import { bytesText } from "../layout/bytes-text.ts";
import type { FleetDemand, Pool } from "./pools-query.ts";

type Money = Pick<Pool, "spent_per_hour" | "spent_in_day" | "budget_per_hour" | "budget_per_day">;

/** The share of the budget of an hour, then of a day. */
export function budgetTexts(pool: Money): readonly [hour: string, day: string] {
  return [
    `${usedOf(pool.spent_per_hour, pool.budget_per_hour)} an hour`,
    `${usedOf(pool.spent_in_day, pool.budget_per_day)} in 24 hours`,
  ];
}

function usedOf(used: number, budget: number | null): string {
  if (budget === null) return `${used.toLocaleString("en")}, no budget`;
  return `${used.toLocaleString("en")} of ${budget.toLocaleString("en")}`;
}

/** What each workload needs of a machine. */
export function requirementText(item: FleetDemand["items"][number]): string {
  const { gpu_count: count, gpu_type: type, gpu_memory_bytes: gpuMemory, mig_profile: profile } = item;
  const model = [type ?? "any GPU", ...(profile === null ? [] : [profile])].join(" ");
  const memory = gpuMemory === 0 ? "" : ` with ${bytesText(gpuMemory)}`;
  return [
    ...(count === 0 ? [] : [`${count} × ${model}${memory}`]),
    `${item.cpu_millis / 1000} CPU`,
    bytesText(item.memory_bytes),
    ...Object.entries(item.node_labels).map(([name, value]) => `${name}=${value}`),
  ].join(", ");
}

/** Pools and their machines, as the commands print them. */
import type { PoolDetails, PoolRecord } from "../api/records.ts";
import { columns } from "./columns.ts";
import { fieldLines } from "./fields.ts";
import { sizeText } from "./size-text.ts";

export function poolLines(pools: readonly PoolRecord[]): string {
  return columns(
    ["POOL", "MACHINES", "COMING", "MIN", "MAX", "SPARE", "AN HOUR", "LAST DAY", "WHY"],
    pools.map((pool) => [
      pool.stopped === null ? pool.pool : `${pool.pool} (stopped)`,
      String(pool.machines),
      String(pool.coming),
      String(pool.min),
      String(pool.max),
      String(pool.warm_spare),
      String(pool.spent_per_hour),
      String(pool.spent_in_day),
      pool.why,
    ]),
  );
}

export function poolText(pool: PoolRecord | PoolDetails): string {
  const { offer, driver } = pool;
  const fields = fieldLines([
    ["pool", pool.pool],
    ["machines", `${pool.machines}, of which ${pool.coming} coming; at least ${pool.min}, at most ${pool.max}`],
    ["why", pool.why],
    ["stopped", pool.stopped === null ? null : `since ${pool.stopped}: ${pool.stopped_reason}`],
    ["warm spare", pool.warm_spare],
    ["cooldown", `${pool.cooldown_seconds} s`],
    ["must join within", `${pool.boot_seconds} s`],
    [
      "cost",
      `${pool.cost_per_hour} an hour each; ${pool.spent_per_hour} an hour now, ${pool.spent_in_day} in the last day`,
    ],
    ["budget", `${pool.budget_per_hour ?? "none"} an hour, ${pool.budget_per_day ?? "none"} a day`],
    [
      "offer",
      [gpusText(offer), `${offer.slots} slots`, `${offer.cpu_cores} cores`, sizeText(offer.memory_bytes)]
        .filter((part) => part !== "")
        .join(", "),
    ],
    [
      "labels",
      Object.entries(offer.node_labels)
        .map(([name, value]) => `${name}=${value}`)
        .join(","),
    ],
    ["driver", driver.kind === "webhook" ? `webhook ${driver.url}` : `command ${driver.name}`],
  ]);
  return "items" in pool && pool.items.length > 0 ? `${fields}\n\n${machineLines(pool.items)}` : fields;
}

function machineLines(machines: PoolDetails["items"]): string {
  return columns(
    ["REQUEST", "STATE", "SINCE", "MACHINE", "NODE", "NOTE"],
    machines.map((machine) => [
      machine.request_id,
      machine.state,
      machine.since,
      machine.machine,
      machine.node_id,
      machine.driver_error ?? machine.failure ?? (machine.requested_by_pool ? null : "joined without a request"),
    ]),
  );
}

function gpusText({ gpu_count, gpu_type, gpu_memory_bytes }: PoolRecord["offer"]): string {
  return gpu_count === 0 ? "" : `${gpu_count} x ${gpu_type} of ${sizeText(gpu_memory_bytes)}`;
}

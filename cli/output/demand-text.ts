/** What waits for machines, as the command prints it. */
import type { FleetDemandRecord } from "../api/records.ts";
import { columns } from "./columns.ts";
import { sizeText } from "./size-text.ts";

type Item = FleetDemandRecord["items"][number];

export function demandLines({ items }: FleetDemandRecord): string {
  const table = columns(
    ["WORKLOADS", "TASKS", "WAITS", "GPUS OF EACH", "MEMORY", "CPU", "LABELS", "REASON"],
    items.map((item) => [
      item.shells ? `${item.workloads} (shells)` : String(item.workloads),
      String(item.tasks),
      item.oldest_seconds === null ? null : `${Math.round(item.oldest_seconds)}s`,
      gpusText(item),
      sizeText(item.memory_bytes),
      String(item.cpu_millis / 1000),
      labelsText(item) || null,
      item.reason,
    ]),
  );
  return [table, "", ...items.map(({ message }) => message)].join("\n");
}

function gpusText({ gpu_count, gpu_type, gpu_memory_bytes, mig_profile }: Item): string | null {
  if (gpu_count === 0) return null;
  const type = [gpu_type ?? "any", ...(mig_profile === null ? [] : [mig_profile])].join(" ");
  return `${gpu_count} x ${type}${gpu_memory_bytes === 0 ? "" : ` of ${sizeText(gpu_memory_bytes)}`}`;
}

function labelsText({ node_labels: labels }: Item): string {
  return Object.entries(labels)
    .map(([name, value]) => `${name}=${value}`)
    .join(",");
}

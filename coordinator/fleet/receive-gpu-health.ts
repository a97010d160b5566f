/** An agent's reports of its GPUs' health, stored in its node's record, which the scheduler reads. */
import type { GpuHealth } from "@elastic/proto/gen/elastic/fleet/v1/node.ts";
import { type Node, withGpuHealth } from "../domain/node.ts";
import { updateRecord } from "../store/update.ts";
import type { FleetContext } from "./fleet-context.ts";
import { readUnhealthyReason } from "./read-inventory.ts";

type Context = Pick<FleetContext, "store" | "bounds" | "log">;
type Reasons = ReadonlyMap<string, string | null>;

/** As often a minute its changes are logged. */
const HEALTH_LINES = { aMinute: 10 };

/** GPUs that the node's inventory does not have are passed over: a hello brings them. */
export async function receiveGpuHealth(
  { store, bounds, log }: Context,
  nodeId: string,
  reported: readonly GpuHealth[],
): Promise<void> {
  const reasons = new Map(reported.map(({ uuid, unhealthyReason }) => [uuid, readUnhealthyReason(unhealthyReason)]));
  // A machine whose GPUs' health alternates is written no more often: what is broken counts, and what has healed waits.
  const isTooOften = bounds.gpuChanges.waitMs(nodeId) > 0;
  const { result: node, isChanged } = await updateRecord(
    store,
    "nodes",
    () => store.get("nodes", nodeId),
    (before) => withGpuHealth(before, isTooOften ? newlyUnhealthy(before, reasons) : reasons),
  );
  if (node === null || !isChanged) return;
  bounds.gpuChanges.note(nodeId);
  const unlogged = bounds.lines.next(nodeId, "gpu health", HEALTH_LINES);
  if (unlogged === null) return;
  const quarantined = node.inventory.gpus.filter((gpu) => gpu.unhealthyReason !== null);
  log.warn(
    { nodeId, quarantined: quarantined.map(({ uuid, unhealthyReason }) => ({ uuid, unhealthyReason })), unlogged },
    quarantined.length === 0 ? "all GPUs of a node are healthy" : "GPUs of a node are quarantined",
  );
}

/** Of the GPUs that the record has as healthy. */
function newlyUnhealthy({ inventory }: Node, reasons: Reasons): Reasons {
  const healthy = inventory.gpus.filter(({ unhealthyReason }) => unhealthyReason === null);
  return new Map(
    healthy.flatMap(({ uuid }) => {
      const reason = reasons.get(uuid) ?? null;
      return reason === null ? [] : [[uuid, reason]];
    }),
  );
}

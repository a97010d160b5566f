/** An agent's reports of its GPUs' health, stored in its node's record, which the scheduler reads. */
import type { GpuHealth } from "@elastic/proto/gen/elastic/fleet/v1/node.ts";
import { withGpuHealth } from "../domain/node.ts";
import { updateRecord } from "../store/update.ts";
import type { FleetContext } from "./fleet-context.ts";
import { readUnhealthyReason } from "./read-inventory.ts";

type Context = Pick<FleetContext, "store" | "log">;

/** GPUs that the node's inventory does not have are passed over: a hello brings them. */
export async function receiveGpuHealth(
  { store, log }: Context,
  nodeId: string,
  reported: readonly GpuHealth[],
): Promise<void> {
  const reasons = new Map(reported.map(({ uuid, unhealthyReason }) => [uuid, readUnhealthyReason(unhealthyReason)]));
  const { result: node, isChanged } = await updateRecord(
    store,
    "nodes",
    () => store.get("nodes", nodeId),
    (before) => withGpuHealth(before, reasons),
  );
  if (node === null || !isChanged) return;
  const quarantined = node.inventory.gpus.filter((gpu) => gpu.unhealthyReason !== null);
  log.warn(
    { nodeId, quarantined: quarantined.map(({ uuid, unhealthyReason }) => ({ uuid, unhealthyReason })) },
    quarantined.length === 0 ? "all GPUs of a node are healthy" : "GPUs of a node are quarantined",
  );
}

/** What an agent says of how its GPUs are, kept in its node's record, by which the scheduler goes. */
import type { GpuHealth } from "@elastic/proto/gen/elastic/fleet/v1/node.ts";
import { status } from "@grpc/grpc-js";
import { withGpuHealth } from "../domain/node.ts";
import { replace } from "../store/change.ts";
import type { FleetContext } from "./fleet-context.ts";
import { readUnhealthyReason } from "./read-inventory.ts";
import { Refusal } from "./refusal.ts";

type Context = Pick<FleetContext, "store" | "log">;

const TRIES = 10;

/** GPUs that the node's inventory does not have are passed over: a hello brings them. */
export async function receiveGpuHealth(
  { store, log }: Context,
  nodeId: string,
  told: readonly GpuHealth[],
): Promise<void> {
  const reasons = new Map(told.map(({ uuid, unhealthyReason }) => [uuid, readUnhealthyReason(unhealthyReason)]));
  for (let tries = 0; tries < TRIES; tries++) {
    const before = await store.get("nodes", nodeId);
    if (before === null) return;
    const after = withGpuHealth(before.value, reasons);
    if (after === before.value) return;
    if ((await store.commit([replace("nodes", before, after)])).kind !== "committed") continue;
    const quarantined = after.inventory.gpus.filter((gpu) => gpu.unhealthyReason !== null);
    log.warn(
      { nodeId, quarantined: quarantined.map(({ uuid, unhealthyReason }) => ({ uuid, unhealthyReason })) },
      quarantined.length === 0 ? "all GPUs of a node are well" : "GPUs of a node are quarantined",
    );
    return;
  }
  throw new Refusal(status.UNAVAILABLE, "the node's record changes too quickly; connect again in a moment");
}

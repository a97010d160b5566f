/** Orders that an agent received on its machine: that the node drains, or accepts work again. */
import { audit } from "../auth/audit.ts";
import { drain, resume } from "../domain/node-drain.ts";
import { updateRecord } from "../store/update.ts";
import type { FleetContext } from "./fleet-context.ts";

type Context = Pick<FleetContext, "store" | "clock" | "log">;

export interface DrainOrder {
  readonly drain: boolean;
  readonly stopShells: boolean;
}

export async function receiveDrainOrder({ store, clock, log }: Context, nodeId: string, order: DrainOrder) {
  const { isChanged } = await updateRecord(
    store,
    "nodes",
    () => store.get("nodes", nodeId),
    (before) => {
      // Whoever evicted it since has cut this link.
      if (before.state === "gone") return before;
      const now = clock.now();
      return order.drain
        ? drain(before, { askedAt: now, userId: null, stopShells: order.stopShells })
        : resume(before, now);
    },
  );
  if (!isChanged) return;
  audit(log, order.drain ? "node_drained" : "node_resumed", { nodeId, stopShells: order.stopShells, at: "machine" });
}

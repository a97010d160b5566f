/**
 * Orders that an agent received on its machine: that the node drains, or accepts work again. To drain is always permitted. A
 * machine that alternates more often than a person does stays drained for a while: each change is a write, a line in the audit log,
 * and work that is placed elsewhere and back.
 */
import { audit } from "../auth/audit.ts";
import { drain } from "../domain/node-drain.ts";
import { resumedOnMachine } from "../domain/quarantine.ts";
import { updateRecord } from "../store/update.ts";
import type { FleetContext } from "./fleet-context.ts";
import { DRAIN_CHANGES } from "./limits.ts";

type Context = Pick<FleetContext, "store" | "bounds" | "clock" | "log">;

export interface DrainOrder {
  readonly drain: boolean;
  readonly stopShells: boolean;
  readonly spot: boolean;
}

/** Returns why the order was refused, in a sentence; null where it was carried out, or changed nothing. */
export async function receiveDrainOrder(context: Context, nodeId: string, order: DrainOrder): Promise<string | null> {
  const { store, bounds, clock, log } = context;
  const waitMs = order.drain ? 0 : bounds.drainChanges.waitMs(nodeId);
  if (waitMs > 0 && store.view.nodes.get(nodeId)?.value.drain !== undefined) return refuse(context, nodeId, waitMs);
  const { isChanged } = await updateRecord(
    store,
    "nodes",
    () => store.get("nodes", nodeId),
    (before) => {
      // Whoever evicted it since has cut this link.
      if (before.state === "gone") return before;
      const now = clock.now();
      return order.drain
        ? drain(before, { askedAt: now, userId: null, stopShells: order.stopShells, ...(order.spot && { spot: true }) })
        : resumedOnMachine(before, now);
    },
  );
  if (!isChanged) return null;
  bounds.drainChanges.note(nodeId);
  const { stopShells, spot } = order;
  audit(log, order.drain ? "node_drained" : "node_resumed", { nodeId, stopShells, spot, at: "machine" });
  return null;
}

function refuse({ bounds, log }: Context, nodeId: string, waitMs: number): string {
  const unlogged = bounds.lines.next(nodeId, "drain order");
  if (unlogged !== null) {
    log.warn({ nodeId, waitMs, unlogged }, "refused an order of a machine to resume its node: it alternates too often");
  }
  const minutes = Math.ceil(waitMs / 60_000);
  return (
    `orders of this machine have drained and resumed the node ${DRAIN_CHANGES.max} times within the hour, so it still drains: ` +
    `repeat the order in ${minutes} minute${minutes === 1 ? "" : "s"}, or use \`elastic node resume\``
  );
}

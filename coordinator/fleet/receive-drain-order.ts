/** What was asked of an agent on its machine: that the node drains, or takes work again. */
import { status } from "@grpc/grpc-js";
import { audit } from "../auth/audit.ts";
import { drain, resume } from "../domain/node-drain.ts";
import { replace } from "../store/change.ts";
import type { FleetContext } from "./fleet-context.ts";
import { Refusal } from "./refusal.ts";

type Context = Pick<FleetContext, "store" | "clock" | "log">;

const TRIES = 10;

export interface DrainOrder {
  readonly drain: boolean;
  readonly stopShells: boolean;
}

export async function receiveDrainOrder({ store, clock, log }: Context, nodeId: string, order: DrainOrder) {
  for (let tries = 0; tries < TRIES; tries++) {
    const before = await store.get("nodes", nodeId);
    // Whoever evicted it since has cut this link.
    if (before === null || before.value.state === "gone") return;
    const now = clock.now();
    const after = order.drain
      ? drain(before.value, { askedAt: now, userId: null, stopShells: order.stopShells })
      : resume(before.value, now);
    if (after === before.value) return;
    if ((await store.commit([replace("nodes", before, after)])).kind !== "committed") continue;
    audit(log, order.drain ? "node_drained" : "node_resumed", { nodeId, stopShells: order.stopShells, at: "machine" });
    return;
  }
  throw new Refusal(status.UNAVAILABLE, "the node's record changes too quickly; connect again in a moment");
}

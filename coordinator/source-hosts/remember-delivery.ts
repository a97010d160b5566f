/**
 * Each delivery is accepted once. A host does not sign a delivery's id, so each is known by its bytes too: whoever repeats them
 * under another id repeats that delivery.
 */
import { createHash } from "node:crypto";
import type { Instant } from "@elastic/std/clock.ts";
import { create, remove } from "../store/change.ts";
import type { Store } from "../store/store.ts";
import type { SourceDeliveryMessage } from "./source-host.ts";

/** Returns how to forget it, where it could not be carried out; null where it was accepted before. */
export async function rememberDelivery(
  store: Pick<Store, "get" | "commit">,
  host: string,
  { deliveryId }: Pick<SourceDeliveryMessage, "deliveryId">,
  body: Buffer,
  now: Instant,
): Promise<(() => Promise<void>) | null> {
  const digest = createHash("sha256").update(body).digest("hex");
  const ids = [`${host}/${deliveryId}`, `${host}/sha256-${digest}`];
  const outcome = await store.commit(ids.map((id) => create("source-deliveries", { id, receivedAt: now })));
  if (outcome.kind === "conflict") return null;
  return async () => {
    const read = await Promise.all(ids.map((id) => store.get("source-deliveries", id)));
    await store.commit(read.flatMap((record) => (record === null ? [] : [remove("source-deliveries", record)])));
  };
}

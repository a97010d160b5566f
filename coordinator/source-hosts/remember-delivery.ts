/** Each delivery is accepted once, by whatever the host's kind says that a repetition is known by. */
import type { Instant } from "@elastic/std/clock.ts";
import { create, remove } from "../store/change.ts";
import type { Store } from "../store/store.ts";
import type { SourceDeliveryMessage } from "./source-host.ts";

/** Returns how to forget it, where it could not be carried out; null where it was accepted before. */
export async function rememberDelivery(
  store: Pick<Store, "get" | "commit">,
  host: string,
  { knownBy }: Pick<SourceDeliveryMessage, "knownBy">,
  now: Instant,
): Promise<(() => Promise<void>) | null> {
  const ids = knownBy.map((known) => `${host}/${known}`);
  const outcome = await store.commit(ids.map((id) => create("source-deliveries", { id, receivedAt: now })));
  if (outcome.kind === "conflict") return null;
  return async () => {
    const read = await Promise.all(ids.map((id) => store.get("source-deliveries", id)));
    await store.commit(read.flatMap((record) => (record === null ? [] : [remove("source-deliveries", record)])));
  };
}

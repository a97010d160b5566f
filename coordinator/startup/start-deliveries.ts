/** The stage of a start that sends the deliveries of webhooks. */
import type { DescribeEvent } from "../domain/delivery-message.ts";
import { eventData } from "../public/event-data.ts";
import { startWebhooks } from "../webhooks/start-webhooks.ts";
import { type PartsWithHistory, part } from "./shared-parts.ts";

/** The API words what is sent of an event. */
export function startDeliveries(shared: PartsWithHistory, publicUrl: string, starting: AsyncDisposableStack): void {
  const source = { ...shared, store: shared.readable, publicUrl: () => publicUrl };
  const describe: DescribeEvent = (delivery, bytesMax) => eventData(source, delivery, bytesMax);
  const webhooks = startWebhooks(
    { ...shared, describe, log: part(shared.log, "webhooks") },
    {
      clock: shared.clock.forForgetting(),
      mayForget: () => shared.clocks.keeper.mayForget() && shared.store.view.unreadable() === 0,
    },
  );
  starting.defer(() => webhooks.stop());
}

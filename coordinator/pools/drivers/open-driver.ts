/** Calls each pool's driver, whatever it is. */
import { type CommandDriverOptions, commandDriver } from "./command-driver.ts";
import type { CallDriver } from "./driver-order.ts";
import { type WebhookDriverOptions, webhookDriver } from "./webhook-driver.ts";

export function openDriver(options: WebhookDriverOptions & CommandDriverOptions): CallDriver {
  const drivers = { webhook: webhookDriver(options), command: commandDriver(options) };
  return (pool, order, signal) => drivers[pool.driver.kind](pool, order, signal);
}

/** Waits until a requested attempt of a delivery has been made, and says how it went. */
import { setTimeout as delay } from "node:timers/promises";
import type { Caller } from "../api/caller.ts";
import type { DeliveryRecord } from "../api/records.ts";
import { getDelivery } from "../api/webhooks.ts";
import type { Context } from "../context/context.ts";
import { CliError, interrupted } from "../errors/cli-error.ts";
import { EXIT } from "../errors/exit-code.ts";
import { waiting } from "../errors/stopped-waiting.ts";
import { lastAttempt } from "../output/webhook-text.ts";

const POLL_MS = 250;
/** The attempt itself times out after 20 s. */
const WAIT_MS = 40_000;

type Surroundings = Pick<Context, "printer" | "signal">;

/** The delivery once the receiver accepted it; throws where the attempt failed. `requested` is as the request returned it. */
export async function awaitDelivery(
  context: Surroundings,
  caller: Caller,
  requested: DeliveryRecord,
): Promise<DeliveryRecord> {
  return await waiting(pollUntilDelivered(context, caller, requested), {
    what: `The delivery ${requested.delivery_id}`,
    next: `\`elastic webhook deliveries ${requested.webhook_id}\` shows how it went.`,
  });
}

async function pollUntilDelivered(
  context: Surroundings,
  caller: Caller,
  requested: DeliveryRecord,
): Promise<DeliveryRecord> {
  const startedAt = performance.now();
  const before = requested.attempts.length === 0 ? null : JSON.stringify(requested.attempts);
  for (;;) {
    const current = await getDelivery(caller, requested.delivery_id);
    if (current.state === "delivered") return current;
    const isTried = current.attempts.length > 0 && JSON.stringify(current.attempts) !== before;
    if (isTried || current.state !== "pending") throw notTaken(current);
    const waitedMs = performance.now() - startedAt;
    if (waitedMs > WAIT_MS) throw notTried(current);
    context.printer.progress("Waiting for the receiver", Math.floor(waitedMs / 1000));
    await delay(POLL_MS, undefined, { signal: context.signal }).catch(() => {
      throw interrupted();
    });
  }
}

function notTaken(delivery: DeliveryRecord): CliError {
  return new CliError(`The receiver did not accept it: ${lastAttempt(delivery)}.`, {
    code: "not_delivered",
    next: `See what stands at the webhook's url; \`elastic webhook redeliver ${delivery.delivery_id}\` sends it again.`,
  });
}

function notTried({ delivery_id: id }: DeliveryRecord): CliError {
  return new CliError(`It was not attempted within ${WAIT_MS / 1000} s; it will be.`, {
    exitCode: EXIT.tryAgain,
    code: "timeout",
    next: `Run \`elastic webhook redeliver ${id}\` later, or see \`elastic webhook deliveries\`.`,
  });
}

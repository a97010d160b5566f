/** The webhooks' part of a coordinator: one of all coordinators that have it sends, and keeps the records few. */
import type { Clock } from "@elastic/std/clock.ts";
import { newId } from "@elastic/std/ids.ts";
import { WEBHOOK_SENDER_KEY } from "../store/keys.ts";
import type { Kv } from "../store/kv.ts";
import { campaign } from "../store/leadership.ts";
import { startSender } from "./sender-loop.ts";
import { startTidying } from "./tidy-loop.ts";
import type { WebhookContext } from "./webhook-context.ts";

export interface Webhooks {
  /** What is being sent comes to its end before another coordinator takes over. */
  stop(): Promise<void>;
}

/** `tidying`: by which clock deliveries are removed for their age, and whether they may be; always where it is left out. */
export function startWebhooks(
  context: WebhookContext & { readonly kv: Kv },
  tidying: { readonly clock: Clock; readonly mayForget: () => boolean } = {
    clock: context.clock,
    mayForget: () => true,
  },
): Webhooks {
  const { kv, clock, log } = context;
  const coordinatorId = newId(clock.now());
  const leadership = campaign({ kv, key: WEBHOOK_SENDER_KEY, coordinatorId, clock, log });
  const sender = startSender({ ...context, leadership });
  const isSending = () => leadership.epoch() !== null && tidying.mayForget();
  const tidy = startTidying({ ...context, clock: tidying.clock, isSending });
  return {
    stop: async () => {
      await tidy.stop();
      await sender.stop();
      await leadership.stop();
    },
  };
}

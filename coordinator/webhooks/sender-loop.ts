/** The sender of this coordinator: sends while its turn lasts and rests while another coordinator does. */
import type { Leadership } from "../store/leadership.ts";
import { Sender } from "./sender.ts";
import type { WebhookContext } from "./webhook-context.ts";

/** A turn may end by the clock alone, without a word. */
const CHECK_MS = 500;

export interface SenderLoop {
  /** Before the leadership is resigned, so that the next does not send what this one is still sending. */
  stop(): Promise<void>;
}

export function startSender(
  context: WebhookContext & { readonly leadership: Pick<Leadership, "epoch" | "subscribe"> },
): SenderLoop {
  const { leadership, metrics } = context;
  const ending = new Set<Promise<void>>();
  let sender: { readonly epoch: number; readonly of: Sender } | null = null;

  const end = () => {
    const stopped = sender?.of.stop().finally(() => ending.delete(stopped as Promise<void>));
    if (stopped !== undefined) ending.add(stopped);
    sender = null;
  };
  const follow = () => {
    const epoch = leadership.epoch();
    if (epoch === (sender?.epoch ?? null)) return;
    end();
    if (epoch !== null) sender = { epoch, of: new Sender(context, () => leadership.epoch() === epoch) };
  };
  metrics.webhooks.observeQueue(() => sender?.of.figures() ?? { pending: 0, lateMs: 0 });
  const unsubscribe = leadership.subscribe(follow);
  const checks = setInterval(follow, CHECK_MS);
  follow();

  return {
    stop: async () => {
      unsubscribe();
      clearInterval(checks);
      end();
      await Promise.all(ending);
    },
  };
}

/** The scheduler of this coordinator: decides while it leads and rests while another does. */
import type { ClaimAtCreation } from "../domain/claim-at-creation.ts";
import type { Leadership } from "../store/leadership.ts";
import { Reign } from "./reign.ts";
import type { SchedulerOptions } from "./turn-context.ts";

/** A term may end by the clock alone, without a word. */
const CHECK_MS = 500;

/** Places for new tasks are given while it leads. */
export interface Scheduler extends ClaimAtCreation {
  stop(): Promise<void>;
}

export function startScheduler(
  options: SchedulerOptions & { readonly leadership: Pick<Leadership, "epoch" | "subscribe"> },
): Scheduler {
  const { leadership, metrics } = options;
  let reign: Reign | null = null;

  const follow = () => {
    const epoch = leadership.epoch();
    if (epoch === (reign?.epoch ?? null)) return;
    reign?.stop();
    reign = epoch === null ? null : new Reign(epoch, options, () => leadership.epoch() === epoch);
    metrics.scheduler.leading(epoch !== null);
    if (epoch === null) metrics.scheduler.queueDepth(0);
  };
  const unsubscribe = leadership.subscribe(follow);
  const checks = setInterval(follow, CHECK_MS);
  follow();

  return {
    reserve: (task) => reign?.reserve(task) ?? null,
    stop: async () => {
      unsubscribe();
      clearInterval(checks);
      reign?.stop();
      reign = null;
      metrics.scheduler.leading(false);
    },
  };
}

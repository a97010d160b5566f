/** The scheduler of this coordinator: decides while it leads and rests while another does. */
import type { ClaimAtCreation } from "../domain/claim-at-creation.ts";
import type { Leadership } from "../store/leadership.ts";
import type { SchedulerOptions } from "./act/turn-context.ts";
import { LeaderTerm } from "./leader-term.ts";

/** A term may end by the clock alone, without a word. */
const CHECK_MS = 500;

/** Places for new tasks are given while it leads. */
export interface Scheduler extends ClaimAtCreation {
  stop(): Promise<void>;
}

export function startScheduler(
  options: SchedulerOptions & { readonly leadership: Pick<Leadership, "epoch" | "subscribe"> },
): Scheduler {
  const { leadership, clock, metrics } = options;
  let term: LeaderTerm | null = null;

  const begin = (epoch: number | null) => {
    term?.stop();
    term = epoch === null ? null : new LeaderTerm(epoch, options, () => leadership.epoch() === epoch);
  };
  const follow = () => {
    const epoch = leadership.epoch();
    if (epoch === (term?.epoch ?? null)) return;
    begin(epoch);
    metrics.scheduler.leading(epoch !== null);
  };
  const unsubscribe = leadership.subscribe(follow);
  // Deadlines were set by a clock that made what it found look older: they are set again, from the records.
  const unfollowClock = clock.onSetBack(() => begin(term?.epoch ?? null));
  const checks = setInterval(follow, CHECK_MS);
  follow();
  metrics.load.observe(() => term?.loads() ?? []);

  return {
    reserve: (task) => term?.reserve(task) ?? null,
    stop: async () => {
      unsubscribe();
      unfollowClock();
      clearInterval(checks);
      term?.stop();
      term = null;
      metrics.scheduler.leading(false);
    },
  };
}

/**
 * Compares the clock of this machine with those of the other coordinators and of the agents, from before the coordinator
 * serves until it stops: once a second, in a loop of every coordinator.
 */
import type { Logger } from "@elastic/std/log.ts";
import { pause } from "@elastic/std/pause.ts";
import { type LoopMetrics, startMeteredLoop } from "../metrics/loop-metrics.ts";
import { StoreChangedError } from "../store/kv.ts";
import { ClockExchange, type ClockExchangeOptions } from "./clock-exchange.ts";
import { ClockKeeper } from "./clock-keeper.ts";

const EVERY_MS = 1_000;
/** How long it waits for a reading of another clock where this one is surely wrong, or the other. */
const COMPARED_WITHIN_MS = 3_000;
const LOOK_EVERY_MS = 20;
/** Agents link within seconds of a start. */
const DOUBTS_FOR_MS = 15_000;

export interface Clocks {
  readonly keeper: ClockKeeper;
  /** False while this machine's clock is off and a coordinator whose clock is right could lead. */
  mayLead(): boolean;
  stop(): Promise<void>;
}

export interface ClocksOptions extends Omit<ClockExchangeOptions, "keeper"> {
  readonly loops: LoopMetrics;
  readonly log: Logger;
  /** How often it compares; default 1 s. */
  readonly everyMs?: number;
}

export async function startClocks(options: ClocksOptions): Promise<Clocks> {
  const { clock, loops, log, everyMs = EVERY_MS } = options;
  const keeper = new ClockKeeper(options);
  const exchange = new ClockExchange({ ...options, keeper });
  clock.doubtFor(DOUBTS_FOR_MS);
  await exchange.turn();
  await compareFirst(keeper, exchange, options);
  const loop = startMeteredLoop({
    name: "compare_clocks",
    everyMs,
    turn: async () => {
      keeper.compare();
      // That it is another store is logged by whoever found it out.
      await exchange.turn().catch((error: unknown) => {
        if (!(error instanceof StoreChangedError)) throw error;
      });
    },
    loops,
    log,
    failure: "the clocks of the coordinators could not be compared",
    // Whoever writes to etcd logs that it is away.
    failureLevel: "debug",
  });
  return {
    keeper,
    mayLead: () => keeper.verdict.standing !== "off" || !exchange.canAnotherLead(),
    stop: async () => {
      await loop.stop();
      await exchange.stop();
    },
  };
}

/**
 * Before anything is stamped. Agents have not linked by then, so there may be no majority: the others' time holds then, until
 * one shows another.
 */
async function compareFirst(keeper: ClockKeeper, exchange: ClockExchange, { clock }: ClocksOptions): Promise<void> {
  const { signal } = new AbortController();
  for (const until = clock.monotonicMs() + COMPARED_WITHIN_MS; clock.monotonicMs() < until; ) {
    if (exchange.unreadContradictions() === 0) break;
    await pause(LOOK_EVERY_MS, signal);
  }
  keeper.compare();
  const aheadMs = exchange.aheadOfTheirs();
  if (keeper.verdict.standing === "no_majority" && aheadMs !== null) keeper.setBy(aheadMs);
}

/** What a step of the scheduler's turn is handed, on a store in memory that this coordinator leads. */
import { createLog } from "@elastic/std/log.ts";
import { GuardedClock } from "../../clocks/guarded-clock.ts";
import type { Node } from "../../domain/node.ts";
import { createMetrics } from "../../metrics/metrics.ts";
import { create } from "../../store/change.ts";
import { LEADER_KEY } from "../../store/keys.ts";
import { memoryKv } from "../../store/memory/memory-kv.ts";
import { openStore } from "../../store/open/open-store.ts";
import type { Store } from "../../store/store.ts";
import { Committer } from "../act/committer.ts";
import { Isolation } from "../act/isolation.ts";
import type { TurnContext } from "../act/turn-context.ts";
import { followStore } from "../view/follow-store.ts";
import { SchedulerView } from "../view/scheduler-view.ts";

export interface LeadersTurn {
  readonly store: Store;
  readonly context: TurnContext;
  /** All metrics, as a scrape has them. */
  scrape(): Promise<string>;
  close(): Promise<void>;
}

/** `nowMs` is the time of both clocks; the nodes are there before the leader looks, so none was greeted since. */
export async function openLeadersTurn(
  nowMs: () => number,
  nodes: readonly Node[],
  of: TurnContext["links"]["of"],
): Promise<LeadersTurn> {
  const log = createLog({ name: "test", level: "silent" });
  const clock = new GuardedClock({ now: nowMs, monotonicMs: nowMs });
  const kv = memoryKv();
  const store = await openStore({ kv, clock, log });
  const leader = { compares: [], puts: [{ key: LEADER_KEY, value: Buffer.from("me") }], deletes: [] };
  const { revision: epoch } = await kv.txn(leader);
  await store.commit(nodes.map((node) => create("nodes", node)));
  const metrics = createMetrics();
  const links: TurnContext["links"] = { of, subscribe: () => () => undefined };
  const view = new SchedulerView(store.view);
  const loaded = Promise.withResolvers<void>();
  const stop = followStore(
    view,
    { records: store.view, links, clock },
    { onChange: () => undefined, onLoaded: loaded.resolve },
  );
  await loaded.promise;
  const wake = () => undefined;
  const committer = new Committer({ store, epoch, clock, log, conflicted: wake, wake });
  const isolation = new Isolation({ clock, log, metrics });
  return {
    store,
    context: { store, links, clock, log, metrics, view, committer, isolation, epoch, wake },
    scrape: () => metrics.registry.metrics(),
    close: async () => {
      committer.stop();
      stop();
      await store.close();
      await kv.close();
    },
  };
}

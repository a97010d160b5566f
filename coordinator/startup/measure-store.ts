/** Measures every few seconds how much of etcd's quota is in use. */
import type { Logger } from "@elastic/std/log.ts";
import type { Config } from "../config/config.ts";
import { etcdAccessOf } from "../config/etcd-access.ts";
import { startMeteredLoop } from "../metrics/loop-metrics.ts";
import type { Metrics } from "../metrics/metrics.ts";
import { EtcdCredentials } from "../store/etcd/etcd-credentials.ts";
import { EtcdSize } from "../store/etcd/etcd-size.ts";
import { StoreSpace } from "../store/store-space.ts";

/** etcd writes some 10 MB/s, so that between two turns a small part of what is left to the quota is used. */
const EVERY_MS = 10_000;

export interface MeasureOptions {
  readonly config: Config;
  readonly metrics: Pick<Metrics, "loops">;
  readonly log: Logger;
}

/** Every coordinator measures, since each of them rejects creations. `starting` ends it. */
export function measureStore({ config, metrics, log }: MeasureOptions, starting: AsyncDisposableStack): StoreSpace {
  const credentials = new EtcdCredentials({ ...etcdAccessOf(config), log });
  const etcd = new EtcdSize({ endpoints: config.etcd, credentials, quotaBytes: config.etcdQuota });
  starting.defer(() => etcd.close());
  const space = new StoreSpace({ thresholdPercent: config.storeNearlyFull, log });
  const loop = startMeteredLoop({
    name: "measure_store",
    everyMs: EVERY_MS,
    firstAfterMs: 0,
    turn: async () => space.measured(await etcd.measure()),
    loops: metrics.loops,
    log,
    failure: "the size of the store could not be measured",
    // Whoever writes to etcd logs that it is away.
    failureLevel: "debug",
  });
  starting.defer(() => loop.stop());
  return space;
}

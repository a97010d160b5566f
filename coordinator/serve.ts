/**
 * The composition root: builds the parts from the configuration, in the order in which they need each other, and
 * stops them in reverse. What is not started yet, or failed to start, is not stopped.
 */
import { systemClock } from "@elastic/std/clock.ts";
import type { Logger } from "@elastic/std/log.ts";
import { openFileBlobs } from "./blobs/file-blobs.ts";
import type { Config } from "./config.ts";
import { startHttp } from "./http/server.ts";
import { meteredKv } from "./metrics/metered-kv.ts";
import { createMetrics } from "./metrics/metrics.ts";
import { startMetricsServer } from "./metrics/metrics-server.ts";
import { digestResolver } from "./registry/resolve-digest.ts";
import { openSecrets } from "./secrets/secrets.ts";
import { connectEtcd } from "./store/etcd/etcd-kv.ts";
import { openStore } from "./store/open-store.ts";

const BUILTIN_PROVERS = ["poseidon"];
const BUILTIN_TEST_PROVERS = ["noop", "clock", "echo", "sleep", "crash"];

export interface Serving {
  stop(): Promise<void>;
}

export async function serve(config: Config, log: Logger): Promise<Serving> {
  await using starting = new AsyncDisposableStack();
  const clock = systemClock;
  const metrics = createMetrics();
  const kv = meteredKv(connectEtcd({ endpoints: config.etcd, log: part(log, "etcd") }), metrics.store, clock);
  starting.defer(() => kv.close());
  const store = await openStore({ kv, clock, log: part(log, "store") });
  starting.defer(() => store.close());
  metrics.store.observeViewAge(() => store.view.ageMs());
  const blobs = await openFileBlobs({ dir: config.blobsDir, storeId: store.blobStoreId });
  const secrets = openSecrets({ keyFile: config.secretsKeyFile });
  const metricsServer = await startMetricsServer({
    registry: metrics.registry,
    listen: config.metricsListen,
    log: part(log, "metrics"),
  });
  starting.defer(() => metricsServer.stop());
  const http = config.roles.includes("http")
    ? await startHttp({
        store,
        blobs,
        secrets,
        resolveImage: digestResolver({ registries: config.registries, builtins: builtinsOf(config) }),
        clock,
        log: part(log, "http"),
        metrics,
        config: { listen: config.httpListen, publicUrl: config.publicUrl },
      })
    : null;
  if (http !== null) starting.defer(() => http.stop());
  log.info({ http: http?.url ?? null, metrics: metricsServer.url, roles: config.roles }, "ready");
  const parts = starting.move();
  return { stop: () => parts.disposeAsync() };
}

function builtinsOf({ builtinTestProvers }: Config): readonly string[] {
  return builtinTestProvers ? [...BUILTIN_PROVERS, ...BUILTIN_TEST_PROVERS] : BUILTIN_PROVERS;
}

function part(log: Logger, name: string): Logger {
  return log.child({ part: name });
}

/** The first stage of a start: the store, the archive, the bytes, and what else all parts share. */
import { type Clock, systemClock } from "@elastic/std/clock.ts";
import { newId } from "@elastic/std/ids.ts";
import type { Logger } from "@elastic/std/log.ts";
import { listenForMetrics } from "@elastic/std/net/metrics-listener.ts";
import { openTracing } from "@elastic/std/tracing/open-tracing.ts";
import type { Archive } from "../archive/archive.ts";
import { observeLive } from "../archive/observe-live.ts";
import { openArchive } from "../archive/sql/open-archive.ts";
import { reportCorruptBlob } from "../blobs/report-corrupt-blob.ts";
import { GuardedClock } from "../clocks/guarded-clock.ts";
import { startClocks } from "../clocks/start-clocks.ts";
import type { Config } from "../config/config.ts";
import { etcdAccessOf } from "../config/etcd-access.ts";
import { COORDINATOR_VERSION } from "../domain/coordinator-version.ts";
import { openEgress } from "../egress/egress.ts";
import { meteredKv } from "../metrics/metered-kv.ts";
import { createMetrics } from "../metrics/metrics.ts";
import { ProgressBoard } from "../progress/progress-board.ts";
import { StartBoard } from "../progress/start-board.ts";
import { type OwnRegistry, openOwnRegistry } from "../registry/own-registry.ts";
import { digestResolver } from "../registry/resolve-digest.ts";
import { retainingResolver } from "../registry/unused/retaining-resolver.ts";
import type { LiveSecrets } from "../secrets/live-secrets.ts";
import { connectEtcd } from "../store/etcd/etcd-kv.ts";
import { StoreIdentity } from "../store/identity/store-identity.ts";
import { StoreRoom } from "../store/store-room.ts";
import { builtinsOf } from "./builtin-provers.ts";
import { listenAsSet } from "./listen-as-set.ts";
import { measureStore } from "./measure-store.ts";
import { openBytes } from "./open-bytes.ts";
import { openKnownStore } from "./open-known-store.ts";
import { openServingSecrets } from "./open-serving-secrets.ts";
import { openSourceHosts } from "./open-source-hosts.ts";
import { part, type SharedParts } from "./shared-parts.ts";
import { takesLinks } from "./start-links.ts";

export interface Opened {
  readonly base: SharedParts;
  /** Null for a gateway alone, which has nothing to do with tasks that have ended. */
  readonly archive: Archive | null;
  readonly metricsAddress: string;
}

/** `starting` closes what was opened. */
export async function openSharedParts(config: Config, log: Logger, starting: AsyncDisposableStack): Promise<Opened> {
  const clock = new GuardedClock(systemClock);
  const metrics = createMetrics();
  const identity = new StoreIdentity();
  const etcd = connectEtcd({ endpoints: config.etcd, access: etcdAccessOf(config), identity, log: part(log, "etcd") });
  const room = new StoreRoom({ clock, log: part(log, "store") });
  const kv = room.noting(meteredKv(etcd, metrics.store, clock));
  starting.defer(() => kv.close());
  const { store, acceptedAt } = await openKnownStore({ config, kv, identity, clock, log }, starting);
  const processId = newId(clock.now());
  const tracing = await openTracing({
    endpoint: config.otlpEndpoint,
    service: { name: "elastic-coordinator", version: COORDINATOR_VERSION, instance: processId },
    counts: metrics.spans,
  });
  metrics.tracing.use(tracing);
  starting.defer(() => tracing.stop());
  const clocks = await startClocks({
    kv,
    id: processId,
    isCandidate: takesLinks(config) && config.roles.includes("scheduler"),
    clock,
    machine: systemClock,
    loops: metrics.loops,
    log: part(log, "clocks"),
  });
  starting.defer(() => clocks.stop());
  metrics.clocks.observe(() => clocks.keeper.verdict);
  const space = measureStore({ config, metrics, log: part(log, "store") }, starting);
  metrics.store.observe({
    viewAgeMs: () => store.view.ageMs(),
    isFull: () => room.isFull(),
    size: () => space.size(),
    isNearlyFull: () => space.isNearlyFull(),
    isChanged: () => identity.changed() !== null,
    unreadable: () => store.view.unreadable(),
  });
  const archive = await openHistory({ config, kv, store, clock, metrics, log }, starting);
  const { blobs, logs } = await openBytes(
    { config, storeId: store.blobStoreId, onCorrupt: reportCorruptBlob(metrics, log), log: part(log, "blobs") },
    starting,
  );
  const progress = new ProgressBoard();
  starting.defer(progress.follow(store.view.tasks));
  const starts = new StartBoard();
  starting.defer(starts.follow(store.view.assignments));
  const secrets = await openServingSecrets({ config, kv, log: part(log, "secrets") }, starting);
  const registry = ownRegistry(config, secrets, clock);
  const builtins = builtinsOf(config);
  const resolve = digestResolver({ registries: config.registries, own: registry, builtins });
  const resolveImage = registry === null ? resolve : retainingResolver({ resolve, registry, store, clock });
  const sourceHosts = openSourceHosts(config.sourceHosts, clock);
  const egress = openEgress({ allow: config.egressAllow });
  const metricsListener = await listenAsSet(
    "metricsListen",
    listenForMetrics({ source: metrics.registry, listen: config.metricsListen, log: part(log, "metrics") }),
  );
  starting.defer(() => metricsListener.stop());
  const base: SharedParts = {
    processId,
    kv,
    store,
    blobs,
    logs,
    progress,
    starts,
    secrets,
    registry,
    resolveImage,
    sourceHosts,
    egress,
    storeIsFull: () => room.isFull(),
    storeIsNearlyFull: () => space.isNearlyFull(),
    storeIdentity: identity,
    storeAcceptedAt: acceptedAt,
    config,
    clock,
    clocks,
    metrics,
    log,
  };
  return { base, archive, metricsAddress: metricsListener.address };
}

async function openHistory(
  parts: Pick<SharedParts, "config" | "kv" | "store" | "clock" | "metrics" | "log">,
  starting: AsyncDisposableStack,
): Promise<Archive | null> {
  const { config, kv, store, clock, metrics, log } = parts;
  if (config.roles.every((role) => role === "ssh")) return null;
  const archive = await openArchive({ location: config.archive, kv, clock, log: part(log, "archive") });
  starting.defer(() => archive.close());
  observeLive(metrics.archive, store.view.tasks, clock);
  return archive;
}

function ownRegistry(config: Config, secrets: LiveSecrets, clock: Clock): OwnRegistry | null {
  const { registry: address, registryService: service, registryIssuer: issuer } = config;
  return address === null ? null : openOwnRegistry({ address, service, issuer }, secrets, clock);
}

/** What runs in the one process that leads. */
import { startUpgradingAgents } from "../agent-upgrades/upgrade-loop.ts";
import { startArchiving } from "../archive/archive-loop.ts";
import { startCreatingBatches } from "../batches/batch-loop.ts";
import type { BlobAddress } from "../blobs/blob-store.ts";
import { startScrubbing } from "../blobs/scrub-loop.ts";
import { startBlobSweep } from "../blobs/sweep-loop.ts";
import { volumeFiles } from "../blobs/volume-manifests.ts";
import { startPreparing } from "../builds/start-preparing.ts";
import type { Build } from "../domain/build.ts";
import { type ClaimAtCreation, NO_CLAIMS } from "../domain/claim-at-creation.ts";
import { startForgetting } from "../expiry/forget-loop.ts";
import { startRemovingDeleted } from "../expiry/remove-deleted-loop.ts";
import { openDriver } from "../pools/drivers/open-driver.ts";
import { startPools } from "../pools/start-pools.ts";
import { DemandBoard } from "../progress/demand-board.ts";
import { startMeasuringDemand } from "../progress/measure-demand-loop.ts";
import { DEFAULT_SETTINGS } from "../public/deployment-request.ts";
import { startSweepingImages } from "../registry/unused/sweep-images-loop.ts";
import { canaryInputs } from "../releases/canary-inputs.ts";
import { startReleasing } from "../releases/start-releasing.ts";
import { startScheduler } from "../scheduler/scheduler-loop.ts";
import { startRenewing } from "../source-hosts/renew-loop.ts";
import { openSourceAccess } from "../source-hosts/source-access.ts";
import { SWEPT_AFTER_ACCEPTANCE_MS } from "../store/identity/meta.ts";
import { readAll } from "../store/read-all.ts";
import { startLogMeasure } from "../task-logs/measure-loop.ts";
import { type Linked, type PartsWithHistory, part } from "./shared-parts.ts";

const DAY_MS = 86_400_000;

/** The scheduler, and the sweeps that run while this process leads. */
export function startLeading(
  shared: PartsWithHistory,
  { contacts, leadership }: Linked,
  starting: AsyncDisposableStack,
): ClaimAtCreation {
  const { config, kv, store, archive, blobs, sourceHosts, clock, clocks, metrics, log } = shared;
  let claims = NO_CLAIMS;
  if (config.roles.includes("scheduler")) {
    const scheduler = startScheduler({ ...shared, leadership, links: contacts, log: part(log, "scheduler") });
    starting.defer(() => scheduler.stop());
    claims = scheduler;
  }
  const isLeading = () => leadership.epoch() !== null;
  const leading = { isLeading, loops: metrics.loops };
  // What is removed for its age is gone for good: not while this machine's clock may make it look older.
  // Nor while something is not seen that may refer to it, since a later version wrote that.
  const seesAll = () => shared.store.view.unreadable() === 0;
  const mayForget = () => clocks.keeper.mayForget() && seesAll();
  const forgetting = { ...leading, isLeading: () => isLeading() && mayForget(), clock: clock.forForgetting() };
  const sweepsFrom = (shared.storeAcceptedAt ?? Number.NEGATIVE_INFINITY) + SWEPT_AFTER_ACCEPTANCE_MS;
  const maySweep = () => forgetting.isLeading() && clock.now() >= sweepsFrom;
  const logMeasure = startLogMeasure({
    logs: shared.logs,
    metrics,
    isLeading,
    log: part(log, "task-logs"),
  });
  starting.defer(() => logMeasure.stop());
  const sweep = startBlobSweep({
    blobs,
    tasks: () => readAll(kv, "tasks"),
    uploads: () => readAll(kv, "uploads"),
    batches: () => readAll(kv, "batches"),
    sources: () => sourcesOf(readAll(kv, "builds")),
    canaries: () => canaryInputs(store.view),
    volumeFiles: () => volumeFiles(readAll(kv, "volumes"), blobs),
    archived: (some) => archive.referenced(some, clock.now()),
    swept: (swept) => metrics.archive.blobsSwept(swept.blobs, swept.bytes),
    ...leading,
    isLeading: maySweep,
    log: part(log, "sweep"),
  });
  starting.defer(() => sweep.stop());
  if (shared.registry !== null && config.imageRetention !== null) {
    const images = startSweepingImages({
      ...shared,
      registry: shared.registry,
      shellImages: [...config.shellImages.values()],
      graceMs: DAY_MS * config.imageRetention,
      metrics: metrics.images,
      ...forgetting,
      isLeading: maySweep,
      log: part(log, "sweep"),
    });
    starting.defer(() => images.stop());
  }
  const scrubbing = startScrubbing({ blobs, clock, ...leading, log: part(log, "scrub") });
  starting.defer(() => scrubbing.stop());
  const archiving = startArchiving({
    ...shared,
    limits: { afterMs: 1000 * config.archiveAfter, endedMax: config.archiveEndedMax },
    auditRetentionMs: DAY_MS * config.auditRetention,
    clock: forgetting.clock,
    isLeading,
    mayExpire: mayForget,
    log: part(log, "archive"),
  });
  starting.defer(() => archiving.stop());
  // Builds only read and report: no host is given an address for its events.
  const access = openSourceAccess({ ...shared, hosts: sourceHosts, publicUrl: () => config.publicUrl ?? "" });
  const preparing = startPreparing({
    ...shared,
    access,
    titleOf: (name) => sourceHosts.find((host) => host.name === name)?.title ?? name,
    ...leading,
    log: part(log, "builds"),
  });
  starting.defer(() => preparing.stop());
  const releasing = startReleasing({
    ...shared,
    access,
    defaults: DEFAULT_SETTINGS,
    publicUrl: config.publicUrl,
    ...leading,
    log: part(log, "releases"),
  });
  starting.defer(() => releasing.stop());
  const forget = startForgetting({ ...shared, ...forgetting, log: part(log, "expiry") });
  starting.defer(() => forget.stop());
  const batches = startCreatingBatches({ ...shared, ...leading, log: part(log, "batches") });
  starting.defer(() => batches.stop());
  const removingDeleted = startRemovingDeleted({
    ...shared,
    auditRetentionMs: DAY_MS * config.auditRetention,
    ...leading,
    isLeading: () => isLeading() && seesAll(),
    log: part(log, "expiry"),
  });
  starting.defer(() => removingDeleted.stop());
  const upgrading = startUpgradingAgents({
    ...shared,
    ...leading,
    metrics: metrics.upgrades,
    log: part(log, "agent-upgrades"),
  });
  starting.defer(() => upgrading.stop());
  const demand = new DemandBoard(shared.store.view);
  starting.defer(() => demand.stop());
  const measuring = startMeasuringDemand({
    ...leading,
    demand,
    clock,
    metrics: metrics.pools,
    log: part(log, "pools"),
  });
  starting.defer(() => measuring.stop());
  const pools = startPools({
    ...shared,
    demand,
    driver: openDriver({ ...shared, commands: config.poolCommands }),
    epoch: () => leadership.epoch(),
    metrics: metrics.pools,
    loops: metrics.loops,
    log: part(log, "pools"),
  });
  starting.defer(() => pools.stop());
  const renewing = startRenewing({ ...shared, ...leading, hosts: sourceHosts, log: part(log, "source-hosts") });
  starting.defer(() => renewing.stop());
  return claims;
}

async function* sourcesOf(builds: AsyncIterable<Build>): AsyncIterable<BlobAddress> {
  for await (const { teamId, source } of builds) if (source !== null) yield { teamId, sha256: source.sha256 };
}

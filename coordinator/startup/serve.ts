/**
 * The composition root: builds the parts from the configuration, in the order in which they need each other, and
 * stops them in reverse. What is not started yet, or failed to start, is not stopped.
 */
import type { Logger } from "@elastic/std/log.ts";
import { withHistory } from "../archive/store-with-history.ts";
import { TaskHistory } from "../archive/task-history.ts";
import type { Config } from "../config/config.ts";
import { NO_CLAIMS } from "../domain/claim-at-creation.ts";
import { NO_SIGHTINGS } from "../nodes/node-sightings.ts";
import { refuseRestoring } from "../store/refuse-restoring.ts";
import { refuseOutdatedKeys } from "./open-serving-secrets.ts";
import { openSharedParts } from "./open-shared-parts.ts";
import { publishKeys } from "./publish-keys.ts";
import type { PartsWithHistory } from "./shared-parts.ts";
import { startApi } from "./start-api.ts";
import { startDeliveries } from "./start-deliveries.ts";
import { startLeading } from "./start-leading.ts";
import { startLinks, takesLinks } from "./start-links.ts";
import { NO_SHELLS, readGateway, startShells } from "./start-shells.ts";

export interface Serving {
  /** From now on it is not ready, and serves all the same. */
  announceStop(): void;
  stop(): Promise<void>;
}

export async function serve(config: Config, log: Logger): Promise<Serving> {
  await using starting = new AsyncDisposableStack();
  const { base, archive, metricsAddress } = await openSharedParts(config, log, starting);
  const linked = takesLinks(config) ? await startLinks({ ...base, archive }, starting) : null;
  const { ssh, shellTerminals } = linked === null ? NO_SHELLS : await startShells(base, linked.fleet.tunnels, starting);
  await publishKeys(base, linked?.authority ?? null, starting);
  await refuseOutdatedKeys(base);
  // Again, now that a restore can see this process: whichever of the two came first, the other is refused.
  await refuseRestoring(base.kv);
  const gateway = await readGateway(base, ssh);
  const shells = { images: config.shellImages, egress: config.shellEgress, gateway };
  let http: string | null = null;
  let stopping = false;
  const isStopping = () => stopping;
  if (archive !== null) {
    const history = new TaskHistory(base.store.view.tasks, archive);
    const readable = withHistory(base.store, archive, base.clock);
    const shared: PartsWithHistory = { ...base, archive, history, readable };
    const sightings = linked?.fleet.links ?? NO_SIGHTINGS;
    const claims = linked === null ? NO_CLAIMS : startLeading(shared, linked, starting);
    if (config.roles.includes("http"))
      http = await startApi(shared, { claims, shells, shellTerminals, sightings, isStopping }, starting);
    if (config.roles.includes("webhooks")) startDeliveries(shared, config.publicUrl ?? http ?? "", starting);
  }
  const { grpc = null, enroll = null } = linked ?? {};
  log.info({ http, grpc, ssh, enroll, metrics: `http://${metricsAddress}/metrics`, roles: config.roles }, "ready");
  const parts = starting.move();
  return {
    announceStop() {
      stopping = true;
    },
    stop: () => parts.disposeAsync(),
  };
}

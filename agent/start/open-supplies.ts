/** What comes to this machine over the coordinators: inputs, volumes' files, sources, and rights to pull images. */
import { join } from "node:path";
import type { RequestPullRight } from "../domain/pull-right.ts";
import { type ImageLedger, openImageLedger } from "../images/image-ledger.ts";
import { type Bulk, openBulk } from "../link/bulk.ts";
import type { Channels } from "../link/channel.ts";
import type { Links } from "../link/links.ts";
import { requestPullRights } from "../link/pull-rights.ts";
import { openVolumeCache, type VolumeCache } from "../volumes/volume-cache.ts";
import type { MountVolume } from "../workloads/docker/bring-in.ts";
import type { Node } from "./open-node.ts";

export interface Supplies {
  readonly bulk: Bulk;
  readonly pullRight: RequestPullRight;
  readonly images: ImageLedger;
  readonly volumes: VolumeCache;
  readonly mountVolume: MountVolume;
}

export async function openSupplies(
  { config, clock, log }: Node,
  channels: Channels,
  links: Pick<Links, "bulkAddress">,
  stopping: AsyncDisposableStack,
): Promise<Supplies> {
  const address = () => links.bulkAddress();
  const bulk = openBulk(channels, address, log);
  stopping.defer(() => bulk.close());
  const dir = join(config.stateDir, "volumes");
  const volumes = await openVolumeCache({ dir, bytesMax: config.volumeCacheBytes, clock, log });
  return {
    bulk,
    pullRight: requestPullRights(channels, address),
    images: await openImageLedger({ file: join(config.stateDir, "images.json"), clock, log }),
    volumes,
    mountVolume: async ({ volume, assignmentId }, onBytes, signal) =>
      volume && (await volumes.mount(volume, { open: bulk.volumeFiles(assignmentId), onBytes, signal })),
  };
}

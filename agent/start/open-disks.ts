/** The disks that this node writes to, and what of them it can do without. */
import { type DiskKeeper, keepDisks } from "../disks/keep-disks.ts";
import { engineImages } from "../workloads/docker/engine-images.ts";
import type { Machine } from "./machine.ts";
import type { Node } from "./open-node.ts";
import type { Supplies } from "./open-supplies.ts";
import type { Work } from "./start-work.ts";

export interface DiskParts {
  readonly machine: Machine;
  readonly supplies: Supplies;
  readonly work: Work;
}

/** Spooled results, logs and homes of shells count, and are never evicted. */
export function openDisks(
  { config, log }: Node,
  { machine, supplies, work }: DiskParts,
  onChange: () => void,
): Promise<DiskKeeper> {
  const images = engineImages(() => machine.engine.engine(), supplies.images);
  return keepDisks({
    folders: () => [config.stateDir, images.folder()].filter((folder) => folder !== null),
    stores: [images, supplies.volumes, work.layers].filter((store) => store !== null),
    marks: config.disks,
    onChange,
    log,
  });
}

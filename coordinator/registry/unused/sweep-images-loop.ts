/** Deletes unused images of the service's own registry, once an hour, in the coordinator that leads. */
import type { Loop } from "@elastic/std/loop.ts";
import type { RegistryImage } from "../../domain/registry-image.ts";
import { type LoopMetrics, startMeteredLoop } from "../../metrics/loop-metrics.ts";
import type { RegistryMetrics } from "../../metrics/registry-metrics.ts";
import { type SweepImagesOptions, sweepImages } from "./sweep-images.ts";

const EVERY_MS = 3_600_000;

interface LoopOptions extends Omit<SweepImagesOptions, "mayDelete" | "onDeleted"> {
  /** One coordinator is enough. */
  readonly isLeading: () => boolean;
  readonly metrics: RegistryMetrics;
  readonly loops: LoopMetrics;
}

export function startSweepingImages({ isLeading, metrics, loops, ...options }: LoopOptions): Loop {
  const { log } = options;
  let isKnownUnsupported = false;
  return startMeteredLoop({
    name: "sweep_images",
    everyMs: EVERY_MS,
    isActive: isLeading,
    // Whether it still does is known to the coordinator that leads now.
    onInactive: () => metrics.deletionsRefused(false),
    turn: async (signal) => {
      const mayDelete = () => isLeading() && !signal.aborted;
      const onDeleted = (image: RegistryImage) => metrics.imageDeleted(image.bytes);
      const { deleted, bytes, isUnsupported } = await sweepImages({ ...options, mayDelete, onDeleted });
      if (deleted > 0) log.info({ deleted, bytes }, "images swept");
      // Where nothing was to be deleted, nothing was found out.
      if (deleted === 0 && !isUnsupported) return;
      metrics.deletionsRefused(isUnsupported);
      if (isUnsupported && !isKnownUnsupported) log.warn(UNSUPPORTED);
      isKnownUnsupported = isUnsupported;
    },
    loops,
    log,
    failure: "unused images could not be deleted",
  });
}

export const UNSUPPORTED =
  "the registry deletes no images (it responds 405), so unused ones stay: set storage.delete.enabled in its configuration and restart it";

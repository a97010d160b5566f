/** What becomes of images in the service's own registry. */
import { Counter, Gauge, type Registry } from "prom-client";

export interface RegistryMetrics {
  imageDeleted(bytes: number): void;
  /** Whether the registry refused to delete at the last attempt, as one does that is not configured for it. */
  deletionsRefused(areRefused: boolean): void;
}

export function createRegistryMetrics(registry: Registry): RegistryMetrics {
  const registers = [registry];
  const images = new Counter({
    name: "elastic_registry_images_deleted_total",
    help: "Unused images whose manifests were deleted in the registry.",
    registers,
  });
  const deletedBytes = new Counter({
    name: "elastic_registry_images_deleted_bytes_total",
    help: "Bytes of the deleted images, layers that other images share included. The registry's garbage collection frees them.",
    registers,
  });
  const refused = new Gauge({
    name: "elastic_registry_deletions_refused",
    help: "1 where the registry does not delete images, since its storage.delete.enabled is off.",
    registers,
  });
  return {
    imageDeleted: (bytes) => {
      images.inc();
      deletedBytes.inc(bytes);
    },
    deletionsRefused: (areRefused) => refused.set(areRefused ? 1 : 0),
  };
}

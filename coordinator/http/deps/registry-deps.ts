import type { OwnRegistry } from "../../registry/own-registry.ts";

/** The service's own registry of images. */
export interface RegistryDeps {
  /** Null where the installation has none. */
  readonly registry: OwnRegistry | null;
}

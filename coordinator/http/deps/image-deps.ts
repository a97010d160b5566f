import type { ResolveImage } from "../../registry/resolve-image.ts";

/** Resolves the name of an image for a team. */
export interface ImageDeps {
  readonly resolveImage: ResolveImage;
}

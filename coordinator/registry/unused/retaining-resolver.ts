/**
 * Resolves images so that what was resolved stays: an image of the service's own registry that was about to be deleted as unused has
 * its grace again before anything refers to it. One that is being deleted at this moment is refused, so whoever gets a digest can
 * count on it.
 */
import type { Clock } from "@elastic/std/clock.ts";
import { isClaimed, registryImageId, touched } from "../../domain/registry-image.ts";
import type { Store } from "../../store/store.ts";
import { updateRecord } from "../../store/update.ts";
import { parseImageReference } from "../image-reference.ts";
import type { OwnRegistry } from "../own-registry.ts";
import type { ImageResolution, ResolveImage } from "../resolve-image.ts";

export interface RetainingOptions {
  readonly resolve: ResolveImage;
  readonly registry: Pick<OwnRegistry, "host">;
  readonly store: Pick<Store, "get" | "commit">;
  readonly clock: Pick<Clock, "now">;
}

/** The image is being deleted. */
class ClaimedError extends Error {
  override readonly name = "ClaimedError";
}

export function retainingResolver({ resolve, registry, store, clock }: RetainingOptions): ResolveImage {
  return async (image, teamId) => {
    const first = await resolve(image, teamId);
    if (first.kind !== "resolved") return first;
    const reference = parseImageReference(first.image);
    if ("wrong" in reference || reference.registry !== registry.host || reference.digest === null) return first;
    const id = registryImageId({ repository: reference.repository, digest: reference.digest });
    try {
      await updateRecord(
        store,
        "registry-images",
        () => store.get("registry-images", id),
        (known) => {
          const now = clock.now();
          if (isClaimed(known, now)) throw new ClaimedError(id);
          return touched(known, now);
        },
      );
    } catch (error) {
      if (error instanceof ClaimedError) return beingDeleted(image);
      throw error;
    }
    // It may have been deleted between the first look and the record.
    const second = await resolve(first.image, teamId);
    return second.kind === "resolved" ? first : second;
  };
}

function beingDeleted(image: string): ImageResolution {
  const detail = `${image} was unused for long and is being deleted from the registry: push it again in a minute.`;
  return { kind: "refused", code: "image_not_found", detail };
}

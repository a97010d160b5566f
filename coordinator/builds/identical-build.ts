/** The newest build of the same service whose image is this one's too, and still in the registry. */
import { type Build, imageOf } from "../domain/build.ts";
import type { ResolveImage } from "../registry/resolve-image.ts";
import type { View } from "../store/store.ts";

export interface IdenticalOptions {
  readonly view: Pick<View, "builds">;
  readonly resolveImage: ResolveImage;
}

/** Null where there is none, and for a build that wants none. */
export async function identicalBuild({ view, resolveImage }: IdenticalOptions, wanted: Build): Promise<Build | null> {
  if (wanted.noCache) return null;
  const identical = [...view.builds.of(wanted.teamId)]
    .map(({ value }) => value)
    .filter((build) => build.identity === wanted.identity && build.serviceId === wanted.serviceId)
    .filter(({ state }) => state.kind === "succeeded")
    .sort((left, right) => right.createdAt - left.createdAt)[0];
  const image = identical === undefined ? null : imageOf(identical);
  if (identical === undefined || image === null) return null;
  const resolution = await resolveImage(image, wanted.teamId);
  return resolution.kind === "resolved" ? identical : null;
}

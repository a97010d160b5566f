/**
 * Which images of the registry are in use, and which are to be deleted. An image is retained while something refers to it, while
 * its grace lasts, and while it belongs to one that is retained: as a part of an index, or as its signature. Pure.
 */
import type { Instant } from "@elastic/std/clock.ts";
import { type ImageAddress, isClaimed, isGraceOver, type RegistryImage, withUse } from "../../domain/registry-image.ts";
import type { ImageReferences } from "./image-references.ts";

export interface SweepRule {
  readonly graceMs: number;
  readonly now: Instant;
}

export interface SweepPlan {
  /** All of them, with what is known of their use now. */
  readonly images: readonly RegistryImage[];
  /** Those to delete: an index before its parts. */
  readonly due: readonly RegistryImage[];
}

/** `tagged` has the digest of each `<repository>:<tag>`. */
export function planSweep(
  known: readonly RegistryImage[],
  tagged: ReadonlyMap<string, string>,
  references: ImageReferences,
  { graceMs, now }: SweepRule,
): SweepPlan {
  const isReferredTo = refersTo(references, tagged);
  const inUse = closure(known, isReferredTo);
  const images = known.map((image) => withUse(image, inUse.has(image), now));
  const isYoung = (image: RegistryImage) =>
    !isGraceOver(image, graceMs, now) || isClaimed(image, now) || references.beingPushed.has(image.repository);
  const retained = closure(images, isYoung);
  return { images, due: indexesFirst(images.filter((image) => !retained.has(image))) };
}

/** Whether something refers to the image by its digest or by a tag that it has now. */
export function refersTo(
  { names }: Pick<ImageReferences, "names">,
  tagged: ReadonlyMap<string, string>,
): (image: ImageAddress) => boolean {
  const byTag = new Set<string>();
  for (const [tag, digest] of tagged) {
    if (names.has(tag)) byTag.add(`${tag.slice(0, tag.lastIndexOf(":"))}@${digest}`);
  }
  return ({ repository, digest }) => {
    const name = `${repository}@${digest}`;
    return names.has(name) || byTag.has(name);
  };
}

/** The images to which it applies, and what belongs to them. */
function closure(
  images: readonly RegistryImage[],
  applies: (image: RegistryImage) => boolean,
): ReadonlySet<RegistryImage> {
  const byName = new Map(images.map((image) => [nameOf(image, image.digest), image]));
  const describing = Map.groupBy(
    images.filter(({ subject }) => subject !== null),
    (image) => nameOf(image, image.subject ?? ""),
  );
  const found = new Set<RegistryImage>();
  const waiting = images.filter(applies);
  for (let image = waiting.pop(); image !== undefined; image = waiting.pop()) {
    if (found.has(image)) continue;
    found.add(image);
    const { parts } = image;
    for (const digest of parts) waiting.push(...present(byName.get(nameOf(image, digest))));
    waiting.push(...(describing.get(nameOf(image, image.digest)) ?? []));
  }
  return found;
}

function present<T>(value: T | undefined): readonly T[] {
  return value === undefined ? [] : [value];
}

function nameOf({ repository }: Pick<RegistryImage, "repository">, digest: string): string {
  return `${repository}@${digest}`;
}

/** A part stands after every index that has it, and a signature after its image. */
function indexesFirst(images: readonly RegistryImage[]): readonly RegistryImage[] {
  const byName = new Map(images.map((image) => [nameOf(image, image.digest), image]));
  const holders = Map.groupBy(
    images.flatMap((index) => index.parts.map((digest) => ({ index, name: nameOf(index, digest) }))),
    ({ name }) => name,
  );
  const visited = new Set<RegistryImage>();
  const ordered: RegistryImage[] = [];
  const place = (image: RegistryImage) => {
    if (visited.has(image)) return;
    visited.add(image);
    for (const { index } of holders.get(nameOf(image, image.digest)) ?? []) place(index);
    const subject = image.subject === null ? undefined : byName.get(nameOf(image, image.subject));
    if (subject !== undefined) place(subject);
    ordered.push(image);
  };
  for (const image of images) place(image);
  return ordered;
}

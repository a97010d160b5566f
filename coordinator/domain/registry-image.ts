/**
 * An image in the service's own registry, as the coordinators know it. The registry says neither when an image was pushed nor
 * which images have no tag, so both are recorded: a manifest is known from its first sighting on, and once nothing has
 * referred to it for long enough it is deleted.
 *
 *   in use ⇄ unused ──grace──▶ claimed ──deleted in the registry──▶ no record
 *                      ▲          │ it is referred to again, or could not be deleted
 *                      └──────────┘
 */
import type { Instant } from "@elastic/std/clock.ts";

/** More parts do not fit a record: an index that has more is not recorded, so nothing of it is ever deleted. */
export const IMAGE_PARTS_MAX = 64;
/** A claim of a process that died is over then. Whoever claims deletes long before. */
const CLAIM_MS = 5 * 60_000;

/** A repository of a team, and the digest of a manifest in it. */
export interface ImageAddress {
  readonly repository: string;
  readonly digest: string;
}

export interface ImageContent {
  /** Of the manifest and of what it names, which other images may share. */
  readonly bytes: number;
  /** Digests of the images that an index consists of; none for an image of one platform. */
  readonly parts: readonly string[];
  /** Digest of the image that this one describes, as a signature does; null for an image. */
  readonly subject: string | null;
}

export interface RegistryImage extends ImageAddress, ImageContent {
  readonly id: string;
  /** Since when nothing has referred to it; null while something does. */
  readonly unusedSince: Instant | null;
  /** There while a coordinator is about to delete it: from when on. */
  readonly claimedAt?: Instant;
}

/** The id of its record. */
export function registryImageId({ repository, digest }: ImageAddress): string {
  return `${repository}@${digest}`;
}

/** As it is when it is seen first: unused until something is found that refers to it. */
export function seenImage({ repository, digest }: ImageAddress, content: ImageContent, now: Instant): RegistryImage {
  const address = { repository, digest };
  return { id: registryImageId(address), ...address, ...content, unusedSince: now };
}

/** The same value where nothing changes. */
export function withUse(image: RegistryImage, isInUse: boolean, now: Instant): RegistryImage {
  if (isInUse) return image.unusedSince === null ? image : { ...unclaimed(image), unusedSince: null };
  return image.unusedSince === null ? { ...image, unusedSince: now } : image;
}

/** Somebody is about to refer to it: the grace begins again. */
export function touched(image: RegistryImage, now: Instant): RegistryImage {
  return image.unusedSince === null ? image : { ...unclaimed(image), unusedSince: now };
}

export function isGraceOver({ unusedSince }: Pick<RegistryImage, "unusedSince">, graceMs: number, now: Instant) {
  return unusedSince !== null && unusedSince + graceMs <= now;
}

export function isClaimed({ claimedAt }: Pick<RegistryImage, "claimedAt">, now: Instant): boolean {
  return claimedAt !== undefined && claimedAt + CLAIM_MS > now;
}

export function claimed(image: RegistryImage, now: Instant): RegistryImage {
  return { ...image, claimedAt: now };
}

export function unclaimed(image: RegistryImage): RegistryImage {
  const { claimedAt: _, ...rest } = image;
  return rest;
}

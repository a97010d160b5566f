/**
 * Deletes the images of the service's own registry that nothing has referred to for longer than the grace. Before it deletes some it
 * claims their records, and only then looks once more at what refers to them and at their repositories: a deployment that is
 * created meanwhile either changes the record, and the claim fails, or finds the claim (retaining-resolver.ts).
 */
import type { Clock } from "@elastic/std/clock.ts";
import type { Logger } from "@elastic/std/log.ts";
import { claimed, IMAGE_PARTS_MAX, type RegistryImage, unclaimed } from "../../domain/registry-image.ts";
import type { Versioned } from "../../domain/versioned.ts";
import { create, remove, replace } from "../../store/change.ts";
import { commitEach } from "../../store/commit-each.ts";
import type { Store } from "../../store/store.ts";
import { type ImageReferences, readImageReferences } from "./image-references.ts";
import { type Look, type LookOptions, lookAtRegistry } from "./look-at-registry.ts";
import { planSweep, refersTo } from "./plan-sweep.ts";
import { readTags } from "./registry-listing.ts";
import { deleteManifest } from "./registry-manifest.ts";

/** Records of images; further ones are not swept until there is room. */
const RECORDS_MAX = 100_000;
const CLAIMED_AT_ONCE = 50;
/** A claim lasts longer than this and than the request that follows it. */
const DELETED_WITHIN_MS = 60_000;

export interface SweepImagesOptions extends LookOptions {
  readonly store: Pick<Store, "commit">;
  readonly graceMs: number;
  readonly clock: Pick<Clock, "now">;
  /** Looked at before each deletion. */
  readonly mayDelete: () => boolean;
  readonly onDeleted: (image: RegistryImage) => void;
  readonly log: Logger;
}

export interface SweptImages {
  readonly deleted: number;
  /** Of the deleted manifests and what they name, which other images may share. */
  readonly bytes: number;
  /** The registry deletes nothing. */
  readonly isUnsupported: boolean;
}

export async function sweepImages(options: SweepImagesOptions): Promise<SweptImages> {
  const { store, graceMs, clock, mayDelete } = options;
  const now = clock.now();
  const look = await lookAtRegistry(options, now);
  const { images, due } = planSweep(look.images, look.tagged, look.references, { graceMs, now });
  await record(store, look, images);
  const others: Others = {
    left: new Set(images.map(({ id }) => id)),
    indexes: images.filter(({ parts }) => parts.length > 0),
  };
  let swept: SweptImages = { deleted: 0, bytes: 0, isUnsupported: false };
  // What was seen now for the first time is not due, whatever the grace.
  const known = due.filter(({ id, repository }) => look.records.has(id) && !look.unread.has(repository));
  for (let at = 0; at < known.length && mayDelete() && !swept.isUnsupported; at += CLAIMED_AT_ONCE) {
    const some = await deleteSome(options, look, known.slice(at, at + CLAIMED_AT_ONCE), others);
    swept = { ...some, deleted: swept.deleted + some.deleted, bytes: swept.bytes + some.bytes };
  }
  if (look.unread.size > 0) {
    throw new Error(`${look.unread.size} repositories could not be read`, { cause: look.lastError });
  }
  return swept;
}

async function record(store: Pick<Store, "commit">, { records }: Look, images: readonly RegistryImage[]) {
  const room = Math.max(0, RECORDS_MAX - records.size);
  const fresh = images.filter(({ id, parts }) => !records.has(id) && parts.length <= IMAGE_PARTS_MAX).slice(0, room);
  const changed = images.flatMap((image) => {
    const read = records.get(image.id);
    return read === undefined || read.value === image ? [] : [[replace("registry-images", read, image)]];
  });
  await commitEach(store, [...changed, ...fresh.map((image) => [create("registry-images", image)])]);
}

type Claim = Versioned<RegistryImage>;

interface Others {
  /** Ids of the images that are still there. */
  readonly left: Set<string>;
  readonly indexes: readonly RegistryImage[];
}

async function deleteSome(
  options: SweepImagesOptions,
  look: Look,
  due: readonly RegistryImage[],
  others: Others,
): Promise<SweptImages> {
  const { registry, store, kv, shellImages, clock, mayDelete, onDeleted, log } = options;
  const claimedAt = clock.now();
  const open = new Set(await claim(store, look, due, claimedAt));
  let deleted = 0;
  let bytes = 0;
  try {
    const isSafe = await lookAgain(options, look, [...open], await readImageReferences(kv, shellImages));
    for (const read of [...open]) {
      const image = read.value;
      if (!isSafe(image) || belongsToAnother(image, others)) continue;
      if (!mayDelete() || clock.now() > claimedAt + DELETED_WITHIN_MS) break;
      const outcome = await deleteManifest(registry, image);
      if (outcome === "unsupported") return { deleted, bytes, isUnsupported: true };
      open.delete(read);
      others.left.delete(image.id);
      await store.commit([remove("registry-images", read)]);
      if (outcome === "absent") continue;
      deleted += 1;
      bytes += image.bytes;
      onDeleted(image);
      log.info({ image: image.id, unusedSince: image.unusedSince, bytes: image.bytes }, "deleted an unused image");
    }
    return { deleted, bytes, isUnsupported: false };
  } finally {
    await commitEach(
      store,
      [...open].map((read) => [replace("registry-images", read, unclaimed(read.value))]),
    );
  }
}

/** Those that nobody has changed since they were read. */
async function claim(
  store: Pick<Store, "commit">,
  { records }: Look,
  due: readonly RegistryImage[],
  now: number,
): Promise<readonly Claim[]> {
  const claims: Claim[] = [];
  for (const { id } of due) {
    const read = records.get(id);
    if (read === undefined) continue;
    const value = claimed(read.value, now);
    const outcome = await store.commit([replace("registry-images", read, value)]);
    if (outcome.kind === "committed") claims.push({ value, revision: outcome.revision });
  }
  return claims;
}

/** Of claimed images, those that nothing refers to and in whose repository nothing was pushed since the look. */
async function lookAgain(
  { registry }: Pick<SweepImagesOptions, "registry">,
  { images }: Look,
  claims: readonly Claim[],
  references: ImageReferences,
): Promise<(image: RegistryImage) => boolean> {
  const known = new Set(images.map(({ id }) => id));
  const tagged = new Map<string, string>();
  const pushedTo = new Set<string>(references.beingPushed);
  for (const repository of new Set(claims.map(({ value }) => value.repository))) {
    for (const [tag, digest] of await readTags(registry, repository)) {
      tagged.set(`${repository}:${tag}`, digest);
      if (!known.has(`${repository}@${digest}`)) pushedTo.add(repository);
    }
  }
  const isReferredTo = refersTo(references, tagged);
  return (image) => !isReferredTo(image) && !pushedTo.has(image.repository);
}

/** As a part of an index that was not deleted, or as the signature of an image that was not. */
function belongsToAnother({ repository, digest, subject }: RegistryImage, { left, indexes }: Others): boolean {
  if (subject !== null && left.has(`${repository}@${subject}`)) return true;
  return indexes.some((index) => index.repository === repository && left.has(index.id) && index.parts.includes(digest));
}

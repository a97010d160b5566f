/**
 * One look at the registry and at the records: every image that has a tag, that something refers to, that an index has as a part,
 * or that was seen before. What has lost its tag is found by its record only: the registry lists tags.
 */
import type { Instant } from "@elastic/std/clock.ts";
import { type ImageAddress, type RegistryImage, registryImageId, seenImage } from "../../domain/registry-image.ts";
import type { Versioned } from "../../domain/versioned.ts";
import type { Kv } from "../../store/kv.ts";
import { readAllVersioned } from "../../store/read-all.ts";
import { teamOfRepository } from "../team-repository.ts";
import { type ImageReferences, readImageReferences } from "./image-references.ts";
import { listRepositories, readTags, type SweptRegistry } from "./registry-listing.ts";
import { readManifest } from "./registry-manifest.ts";

/** Repositories that are read at once. */
const AT_ONCE = 4;
/** As cosign names what belongs to an image, where the manifest does not say so. */
const DESCRIBING_TAG = /^sha256-([0-9a-f]{64})(?:\.[a-z]+)?$/;

export interface LookOptions {
  readonly registry: SweptRegistry;
  readonly kv: Pick<Kv, "range">;
  /** What users may choose for shells. */
  readonly shellImages: Iterable<string>;
}

export interface Look {
  readonly images: readonly RegistryImage[];
  /** Those of them that have a record, by id. */
  readonly records: ReadonlyMap<string, Versioned<RegistryImage>>;
  /** The digest of each `<repository>:<tag>`. */
  readonly tagged: ReadonlyMap<string, string>;
  readonly references: ImageReferences;
  /** Repositories that could not be read; nothing of them is deleted. */
  readonly unread: ReadonlySet<string>;
  readonly lastError: unknown;
}

export async function lookAtRegistry({ registry, kv, shellImages }: LookOptions, now: Instant): Promise<Look> {
  const references = await readImageReferences(kv, shellImages);
  // After the references: of what is referred to meanwhile the record says so.
  const records = new Map<string, Versioned<RegistryImage>>();
  for await (const read of readAllVersioned(kv, "registry-images")) records.set(read.value.id, read);
  const images = new Map([...records].map(([id, { value }]) => [id, value]));
  const tagged = new Map<string, string>();
  const unread = new Set<string>();
  let lastError: unknown;
  const referred = Map.groupBy(addressesOf(references), ({ repository }) => repository);
  const repositories = new Set([...(await listRepositories(registry)), ...referred.keys()]).values();
  const readSome = async () => {
    for (const repository of repositories) {
      try {
        const tags = await readTags(registry, repository);
        for (const [tag, digest] of tags) tagged.set(`${repository}:${tag}`, digest);
        const digests = [...tags.values(), ...(referred.get(repository) ?? []).map(({ digest }) => digest)];
        await addUnknown(registry, images, { repository, digests, tags, now });
      } catch (error) {
        unread.add(repository);
        lastError = error;
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, readSome));
  return { images: [...images.values()], records, tagged, references, unread, lastError };
}

/** Those with a digest; a tag that something refers to is found in its repository. */
function addressesOf({ names }: ImageReferences): readonly ImageAddress[] {
  return [...names].flatMap((name) => {
    const [repository = "", digest] = name.split("@");
    return digest === undefined || teamOfRepository(repository) === null ? [] : [{ repository, digest }];
  });
}

interface Found {
  readonly repository: string;
  readonly digests: readonly string[];
  readonly tags: ReadonlyMap<string, string>;
  readonly now: Instant;
}

/** With the parts of indexes. */
async function addUnknown(
  registry: SweptRegistry,
  images: Map<string, RegistryImage>,
  { repository, digests, tags, now }: Found,
): Promise<void> {
  const waiting = [...digests];
  for (let digest = waiting.pop(); digest !== undefined; digest = waiting.pop()) {
    const address = { repository, digest };
    const id = registryImageId(address);
    if (images.has(id)) continue;
    const content = await readManifest(registry, address);
    if (content === null) continue;
    const subject = content.subject ?? describedBy(digest, tags);
    images.set(id, seenImage(address, { ...content, subject }, now));
    waiting.push(...content.parts);
  }
}

function describedBy(digest: string, tags: ReadonlyMap<string, string>): string | null {
  for (const [tag, tagged] of tags) {
    const [, subject] = DESCRIBING_TAG.exec(tag) ?? [];
    if (tagged === digest && subject !== undefined && !digest.endsWith(subject)) return `sha256:${subject}`;
  }
  return null;
}

/**
 * What refers to images of the service's own registry: deployments, builds and shells, and what the settings offer for shells. By
 * the repository, which begins with a team's id, and under whatever host: a registry may have had another name before.
 */
import { type Build, imageOf, isOpen } from "../../domain/build.ts";
import { type Deployment, imagesOf } from "../../domain/deployment.ts";
import type { Shell } from "../../domain/shell.ts";
import type { Kv } from "../../store/kv.ts";
import { readAll } from "../../store/read-all.ts";
import { parseImageReference } from "../image-reference.ts";
import { teamOfRepository } from "../team-repository.ts";

export interface ImageReferences {
  /** `<repository>@<digest>` and `<repository>:<tag>`. */
  readonly names: ReadonlySet<string>;
  /** Repositories that builds under way push to: nothing of them is deleted. */
  readonly beingPushed: ReadonlySet<string>;
}

export interface ReferringRecords {
  readonly deployments: Iterable<Pick<Deployment, "image" | "verifierImage">>;
  readonly builds: Iterable<Pick<Build, "repository" | "state" | "tag">>;
  readonly shells: Iterable<Pick<Shell, "image">>;
}

export function imageReferences(
  { deployments, builds, shells }: ReferringRecords,
  shellImages: Iterable<string>,
): ImageReferences {
  const names = new Set<string>();
  const beingPushed = new Set<string>();
  const add = (image: string) => {
    const reference = parseImageReference(image);
    if ("wrong" in reference || teamOfRepository(reference.repository) === null) return;
    const { repository, digest, tag } = reference;
    names.add(digest === null ? `${repository}:${tag ?? "latest"}` : `${repository}@${digest}`);
  };
  for (const deployment of deployments) for (const image of imagesOf(deployment)) add(image);
  for (const build of builds) {
    const image = imageOf(build);
    if (image !== null) add(image);
    const repository = parseImageReference(build.repository);
    if (isOpen(build) && !("wrong" in repository)) beingPushed.add(repository.repository);
  }
  for (const { image } of shells) add(image);
  for (const image of shellImages) add(image);
  return { names, beingPushed };
}

/** From the store itself, since a view may be behind. */
export async function readImageReferences(
  kv: Pick<Kv, "range">,
  shellImages: Iterable<string>,
): Promise<ImageReferences> {
  const [deployments, builds, shells] = await Promise.all([
    collect(readAll(kv, "deployments")),
    collect(readAll(kv, "builds")),
    collect(readAll(kv, "shells")),
  ]);
  return imageReferences({ deployments, builds, shells }, shellImages);
}

async function collect<T>(records: AsyncIterable<T>): Promise<readonly T[]> {
  const all: T[] = [];
  for await (const record of records) all.push(record);
  return all;
}

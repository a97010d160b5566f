/**
 * Fixes an image to the digest that its tag has now, at one of the configured registries and nowhere else: what a
 * client writes never chooses which address this process connects to.
 */
import { BUILTIN_PREFIX } from "../domain/deployment.ts";
import { fetchDigest } from "./fetch-digest.ts";
import { type ImageReference, parseImageReference } from "./image-reference.ts";
import type { OwnRegistry, RegistryAddress } from "./own-registry.ts";
import type { ImageResolution, ResolveImage } from "./resolve-image.ts";
import { allowedOf } from "./scope.ts";
import { teamOfRepository } from "./team-repository.ts";

export interface ResolverOptions {
  /** Of others. */
  readonly registries: readonly RegistryAddress[];
  readonly own: Pick<OwnRegistry, "host" | "base" | "issueToken"> | null;
  /** Names of provers that agents run without a container. */
  readonly builtins: readonly string[];
}

export function digestResolver({ registries, own, builtins }: ResolverOptions): ResolveImage {
  const known = own === null ? registries : [own, ...registries];
  return async (image, teamId) => {
    if (image.startsWith(BUILTIN_PREFIX)) return resolveBuiltin(image, builtins);
    const reference = parseImageReference(image);
    if ("wrong" in reference) return refused("image_invalid", `This is not the name of an image: ${reference.wrong}.`);
    const registry = known.find(({ host }) => host === reference.registry);
    if (registry === undefined) return refused("registry_not_allowed", notAllowed(reference, known));
    if (registry !== own) return await resolveAt(registry, reference);
    return await resolveAt(own, reference, pullToken(own, reference, teamId));
  };
}

/** Good for the team's repositories only, so that the registry responds to another's as to those that are not there. */
function pullToken({ issueToken }: Pick<OwnRegistry, "issueToken">, { repository }: ImageReference, teamId: string) {
  const requested = { type: "repository", name: repository, actions: ["pull"] } as const;
  return issueToken(
    `team/${teamId}`,
    allowedOf([requested], (name) => teamOfRepository(name) === teamId),
  ).text;
}

async function resolveAt(
  registry: RegistryAddress,
  reference: ImageReference,
  token?: string,
): Promise<ImageResolution> {
  const { repository, tag, digest } = reference;
  const name = digest ?? tag ?? "latest";
  const answer = await fetchDigest(registry.base, { repository, name, ...(token === undefined ? {} : { token }) });
  if (answer.kind === "unavailable") {
    return { kind: "unavailable", detail: `The registry ${registry.host} cannot be reached: ${answer.detail}.` };
  }
  if (answer.kind === "absent" || (digest !== null && answer.digest !== digest)) {
    return refused("image_not_found", `${registry.host} has no image ${repository} under ${name} that may be pulled.`);
  }
  const resolved = `${registry.host}/${repository}@${answer.digest}`;
  return { kind: "resolved", image: resolved, tag: tag ?? (digest === null ? "latest" : null) };
}

function resolveBuiltin(image: string, builtins: readonly string[]): ImageResolution {
  if (builtins.includes(image.slice(BUILTIN_PREFIX.length))) return { kind: "resolved", image, tag: null };
  const known = builtins.map((name) => BUILTIN_PREFIX + name).join(", ");
  return refused("image_not_found", `There is no such builtin prover; there are: ${known}.`);
}

function notAllowed(reference: ImageReference, registries: readonly RegistryAddress[]): string {
  const allowed = registries.map(({ host }) => host).join(", ");
  const hint =
    allowed === "" ? "none is configured here, only builtin provers can be deployed" : `those allowed are ${allowed}`;
  return `Images cannot come from the registry ${reference.registry}; ${hint}.`;
}

function refused(code: Extract<ImageResolution, { kind: "refused" }>["code"], detail: string): ImageResolution {
  return { kind: "refused", code, detail };
}

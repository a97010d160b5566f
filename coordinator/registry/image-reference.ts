/**
 * The grammar of an image's name (OCI distribution specification 1.1): `<registry>/<repository>[:tag][@digest]`.
 * What does not match is refused before it gets near a registry, an engine or a command line.
 */

export interface ImageReference {
  /** `host[:port]`. */
  readonly registry: string;
  readonly repository: string;
  readonly tag: string | null;
  /** `sha256:<hex>`. */
  readonly digest: string | null;
}

const REFERENCE_LENGTH_MAX = 512;
const REPOSITORY_LENGTH_MAX = 255;
const REGISTRY = /^[A-Za-z0-9](?:[A-Za-z0-9.-]{0,252}[A-Za-z0-9])?(?::[0-9]{1,5})?$/;
const COMPONENT = /^[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*$/;
const TAG = /^[A-Za-z0-9_][A-Za-z0-9._-]{0,127}$/;
const DIGEST = /^sha256:[0-9a-f]{64}$/;

/** The reference, or what is wrong with it. */
export function parseImageReference(text: string): ImageReference | { readonly wrong: string } {
  if (text.length > REFERENCE_LENGTH_MAX) return { wrong: `it is longer than ${REFERENCE_LENGTH_MAX} characters` };
  const [named = "", digest = null, ...more] = text.split("@");
  if (more.length > 0 || (digest !== null && !DIGEST.test(digest))) {
    return { wrong: "its digest is not `sha256:` and 64 lower-case hexadecimal digits" };
  }
  const slash = named.indexOf("/");
  const registry = named.slice(0, Math.max(0, slash));
  if (!looksLikeRegistry(registry)) return { wrong: "it does not begin with a registry, as in `host:port/name:tag`" };
  const path = named.slice(slash + 1);
  const colon = path.indexOf(":");
  const repository = colon < 0 ? path : path.slice(0, colon);
  const tag = colon < 0 ? null : path.slice(colon + 1);
  if (repository.length > REPOSITORY_LENGTH_MAX || !repository.split("/").every((part) => COMPONENT.test(part))) {
    return { wrong: "its name is not lower-case letters and digits, separated by single dots, dashes or slashes" };
  }
  if (tag !== null && !TAG.test(tag)) {
    return { wrong: "its tag is not up to 128 letters, digits, dots, dashes and underscores" };
  }
  return { registry, repository, tag, digest };
}

/** As engines distinguish a registry from the first part of a name. */
function looksLikeRegistry(text: string): boolean {
  return REGISTRY.test(text) && (text.includes(".") || text.includes(":") || text === "localhost");
}

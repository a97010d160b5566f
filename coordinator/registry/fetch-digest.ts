/** Fetches the digest of a manifest from a registry (OCI distribution specification 1.1). */
import { createHash } from "node:crypto";

const TIMEOUT_MS = 10_000;
const MANIFEST_BYTES_MAX = 4 * 1024 * 1024;
const DIGEST = /^sha256:[0-9a-f]{64}$/;

/** Of images and indexes, for a request's `accept`. */
export const MANIFEST_TYPES = [
  "application/vnd.oci.image.index.v1+json",
  "application/vnd.oci.image.manifest.v1+json",
  "application/vnd.docker.distribution.manifest.list.v2+json",
  "application/vnd.docker.distribution.manifest.v2+json",
].join(", ");

export type DigestAnswer =
  | { readonly kind: "digest"; readonly digest: string }
  | { readonly kind: "absent" }
  | { readonly kind: "unavailable"; readonly detail: string };

export interface ManifestName {
  readonly repository: string;
  /** A tag or a digest. */
  readonly name: string;
  /** For a registry that requires one. */
  readonly token?: string;
}

/** `base` is the registry's address with its scheme. */
export async function fetchDigest(base: string, { repository, name, token }: ManifestName): Promise<DigestAnswer> {
  const url = `${base}/v2/${repository}/manifests/${name}`;
  const headers = { accept: MANIFEST_TYPES, ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) };
  try {
    const head = await request(url, "HEAD", headers);
    if (!head.ok) return refusal(head);
    const digest = head.headers.get("docker-content-digest") ?? (await digestOfBody(url, headers));
    if (DIGEST.test(digest)) return { kind: "digest", digest };
    return { kind: "unavailable", detail: "the registry responded without a digest" };
  } catch (error) {
    return { kind: "unavailable", detail: error instanceof Error ? error.message : String(error) };
  }
}

type Headers = Readonly<Record<string, string>>;

function request(url: string, method: "HEAD" | "GET", headers: Headers): Promise<Response> {
  // A registry that is allowed cannot redirect the request to one that is not.
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  return fetch(url, { method, headers, redirect: "error", signal });
}

function refusal({ status, headers }: Response): DigestAnswer {
  // As the distribution registry says that a token is not merely good for something else.
  if (status === 401 && headers.get("www-authenticate")?.includes('error="invalid_token"')) {
    const detail = "it does not believe this service's tokens; its rootcertbundle is what `registry-cert` prints";
    return { kind: "unavailable", detail };
  }
  if (status === 404 || status === 401 || status === 403) return { kind: "absent" };
  return { kind: "unavailable", detail: `the registry responded with status ${status}` };
}

/** Of a registry that does not say it: the digest of a manifest is that of its bytes. */
async function digestOfBody(url: string, headers: Headers): Promise<string> {
  const answer = await request(url, "GET", headers);
  if (!answer.ok || answer.body === null) throw new Error(`the registry responded with status ${answer.status}`);
  const hash = createHash("sha256");
  let bytes = 0;
  for await (const chunk of answer.body) {
    bytes += chunk.length;
    if (bytes > MANIFEST_BYTES_MAX) throw new Error(`the manifest is larger than ${MANIFEST_BYTES_MAX} bytes`);
    hash.update(chunk);
  }
  return `sha256:${hash.digest("hex")}`;
}

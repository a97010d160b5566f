/** Reads and deletes manifests of the service's own registry (OCI distribution specification 1.1). */
import { z } from "zod";
import type { ImageAddress, ImageContent } from "../../domain/registry-image.ts";
import { MANIFEST_TYPES } from "../fetch-digest.ts";
import { readJson } from "../read-json.ts";
import type { SweptRegistry } from "./registry-listing.ts";

const TIMEOUT_MS = 10_000;
const SUBJECT = "sweep";

const sized = z.object({ size: z.number().int().nonnegative() });
const digested = z.object({ digest: z.string() });
const manifestSchema = z.object({
  config: sized.optional(),
  layers: z.array(sized).optional(),
  manifests: z.array(digested.extend(sized.shape)).optional(),
  subject: digested.nullish(),
});

/** Null where the registry does not have it. */
export async function readManifest(
  { base, issueToken }: SweptRegistry,
  { repository, digest }: ImageAddress,
): Promise<ImageContent | null> {
  const { text: token } = issueToken(SUBJECT, [{ type: "repository", name: repository, actions: ["pull"] }]);
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const read = await readJson(`${base}/v2/${repository}/manifests/${digest}`, {
    token,
    signal,
    accept: MANIFEST_TYPES,
  });
  if (read === null) return null;
  const { config, layers = [], manifests = [], subject } = manifestSchema.parse(read);
  const own = Buffer.byteLength(JSON.stringify(read));
  const bytes = [config?.size ?? 0, ...layers.map(({ size }) => size)].reduce((sum, size) => sum + size, own);
  return { bytes, parts: manifests.map((part) => part.digest), subject: subject?.digest ?? null };
}

/** `unsupported`: the registry deletes nothing (its `storage.delete.enabled`). Throws what else it responds. */
export async function deleteManifest(
  { base, issueToken }: SweptRegistry,
  { repository, digest }: ImageAddress,
): Promise<"deleted" | "absent" | "unsupported"> {
  const { text: token } = issueToken(SUBJECT, [{ type: "repository", name: repository, actions: ["delete"] }]);
  const response = await fetch(`${base}/v2/${repository}/manifests/${digest}`, {
    method: "DELETE",
    headers: { authorization: `Bearer ${token}` },
    redirect: "error",
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  await response.body?.cancel();
  if (response.status === 202 || response.status === 200) return "deleted";
  if (response.status === 404) return "absent";
  if (response.status === 405) return "unsupported";
  throw new Error(`the registry responded to the deletion of ${repository}@${digest} with status ${response.status}`);
}

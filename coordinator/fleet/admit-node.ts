/** Whether what a certificate names may call at all. */
import { status } from "@grpc/grpc-js";
import type { Node } from "../domain/node.ts";
import type { NodeIdentity } from "./node-identity.ts";
import { CERTIFICATE_ENDED, NO_NODE_IDENTITY, Refusal, UNREADABLE_NODE } from "./refusal.ts";

const EVICTED = new Refusal(
  status.PERMISSION_DENIED,
  "the node was evicted and its certificates are revoked: enroll it again with a token of its name",
);

const ENROLLED_AGAIN = new Refusal(
  status.PERMISSION_DENIED,
  "the node was enrolled again since: this certificate is of the enrollment before, and is revoked",
);

const RETIRED_ROOT = new Refusal(
  status.PERMISSION_DENIED,
  "the root of this certificate was retired: enroll the machine again with a token of its name",
);

/** As it is counted. */
export function reasonOf(
  refusal: Refusal,
): "unnamed" | "expired" | "evicted" | "enrolled_anew" | "retired_root" | "unreadable" {
  switch (refusal) {
    case UNREADABLE_NODE:
      return "unreadable";
    case NO_NODE_IDENTITY:
      return "unnamed";
    case CERTIFICATE_ENDED:
      return "expired";
    case EVICTED:
      return "evicted";
    case RETIRED_ROOT:
      return "retired_root";
    default:
      return "enrolled_anew";
  }
}

/** Null for a caller that may continue. `node` is its record as far as it is known. */
export function whyRefused(identity: NodeIdentity | null, node: Node | undefined, now: number): Refusal | null {
  if (identity === null) return NO_NODE_IDENTITY;
  if (identity.notAfter <= now) return CERTIFICATE_ENDED;
  if (node?.evictedAt !== undefined) return EVICTED;
  if (node?.enrolmentId !== undefined && node.enrolmentId !== identity.enrollmentId) return ENROLLED_AGAIN;
  return null;
}

/** A connection may be older than the retirement of its root. `trusted` is null for certificates of another authority. */
export function whyRootRefused(identity: NodeIdentity | null, trusted: readonly string[] | null): Refusal | null {
  const issuer = identity?.issuer ?? null;
  return trusted === null || issuer === null || trusted.includes(issuer) ? null : RETIRED_ROOT;
}

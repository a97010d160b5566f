/** When a node that is not coming back is forgotten. */
import type { Instant } from "@elastic/std/clock.ts";
import type { Node } from "./node.ts";

/** Thirty times as long as a certificate of this service's authority or a join token lasts at most. */
export const PAST_NODE_RETAINED_MS = 30 * 24 * 3_600_000;
/** Of one that its pool had removed: its machine is gone, and its certificate and those of its name have expired by then. */
const POOL_NODE_RETAINED_MS = 2 * 24 * 3_600_000;
/** So long a certificate of this service's authority lasts at most: for records that do not have its end. */
const CERTIFICATE_MS_MAX = 24 * 3_600_000;

/**
 * An evicted one while its record revokes certificates, and rejects join tokens from before the eviction: by then both have
 * expired, where this service issued them. A lost one, or one that never connected, once its last certificate ended long
 * ago: it cannot come back without another enrollment.
 */
export function isNodeForgotten(node: Node, now: Instant): boolean {
  const from = notNeededFrom(node);
  const retainedMs = node.state === "gone" && node.pool !== undefined ? POOL_NODE_RETAINED_MS : PAST_NODE_RETAINED_MS;
  return from !== null && from + retainedMs <= now;
}

/** Null for a node that is needed, or for which that is not known. */
function notNeededFrom({ state, since, enrolmentId, certificateEndsAt }: Node): Instant | null {
  const isOfThisAuthority = enrolmentId !== undefined;
  // Another authority may have issued others, for years.
  if (state === "gone") return isOfThisAuthority ? since : null;
  if (state !== "lost" && state !== "joining") return null;
  const endsAt = certificateEndsAt ?? (isOfThisAuthority ? since + CERTIFICATE_MS_MAX : null);
  return endsAt === null ? null : Math.max(since, endsAt);
}

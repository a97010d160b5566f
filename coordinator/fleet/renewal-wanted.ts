/** Whether an agent is to renew its certificate before its time: what it holds is not of the roots that there are now. */
import type { TrustedRoots } from "@elastic/proto/gen/elastic/fleet/v1/fleet.ts";
import type { NodeTrust } from "../domain/node.ts";
import type { Authority } from "../enrollment/authority.ts";
import type { NodeIdentity } from "./node-identity.ts";

/** Hex digits of SHA-256; no agent has more roots than there are in a rotation, and one that it was enrolled with. */
const ROOT = /^[0-9a-f]{64}$/;
const ROOTS_MAX = 4;

/** As a hello states it. Null for certificates of another authority. */
export function trustOf(identity: NodeIdentity, roots: TrustedRoots | undefined): NodeTrust | null {
  const { enrollmentId, issuer, notAfter: certificateEndsAt } = identity;
  if (enrollmentId === null || issuer === null) return null;
  const known = roots?.sha256.filter((one) => ROOT.test(one)).slice(0, ROOTS_MAX);
  return { issuer, certificateEndsAt, ...(known === undefined ? {} : { roots: known }) };
}

/** Of an agent that states its roots: earlier versions do not know the request. */
export function isRenewalWanted(authority: Pick<Authority, "issuer" | "trusted">, trust: NodeTrust | null): boolean {
  if (trust?.roots === undefined) return false;
  const trusted = authority.trusted.sha256;
  const isSame = trust.roots.length === trusted.length && trusted.every((root) => trust.roots?.includes(root));
  return trust.issuer !== authority.issuer.name || !isSame;
}

/**
 * Who calls: the node named by the URI SAN `elastic://node/<node id>` of the client's certificate. Certificates of the
 * coordinators' own authority also name the enrollment that they come from.
 */
import type { PeerCertificate } from "node:tls";

export interface NodeIdentity {
  readonly nodeId: string;
  /** The end of the certificate; no stream outlives it. */
  readonly notAfter: number;
  /** Null in certificates of another authority. */
  readonly enrollmentId: string | null;
  /** The name of the root that it is of; null where it states none. */
  readonly issuer: string | null;
}

interface Call {
  getAuthContext(): { readonly sslPeerCertificate?: PeerCertificate | undefined };
}

const NODE_ID_PATTERN = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
const NODE_URI = "URI:elastic://node/";
const ENROLLMENT_URI = "URI:elastic://enrolment/";

/** Null if the certificate names no node, or more than one. */
export function identityOf(call: Call): NodeIdentity | null {
  const certificate = call.getAuthContext().sslPeerCertificate;
  return certificate === undefined ? null : readIdentity(certificate);
}

export function readIdentity(certificate: {
  readonly subjectaltname?: string | undefined;
  readonly valid_to: string;
  readonly issuer?: { readonly CN?: string | string[] | undefined } | undefined;
}): NodeIdentity | null {
  // Names with a comma are quoted by Node, so a name cannot pretend to be two.
  const all = (certificate.subjectaltname ?? "").split(", ");
  const names = all.filter((name) => name.startsWith(NODE_URI));
  const nodeId = names[0]?.slice(NODE_URI.length);
  const enrollmentId = all.find((name) => name.startsWith(ENROLLMENT_URI))?.slice(ENROLLMENT_URI.length) ?? null;
  const notAfter = Date.parse(certificate.valid_to);
  if (names.length !== 1 || nodeId === undefined || !NODE_ID_PATTERN.test(nodeId)) return null;
  const issuer = certificate.issuer?.CN;
  const issuerName = typeof issuer === "string" ? issuer : null;
  return Number.isNaN(notAfter) ? null : { nodeId, notAfter, enrollmentId, issuer: issuerName };
}

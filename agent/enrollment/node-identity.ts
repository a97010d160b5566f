/** Who this node is: what its certificate says, and nothing else. */
import { X509Certificate } from "node:crypto";

const SCHEME = "URI:elastic://node/";

export interface NodeIdentity {
  readonly nodeId: string;
  readonly validFrom: Date;
  readonly validTo: Date;
}

/** Throws with a clear sentence when the certificate names no node. */
export function readNodeIdentity(certificatePem: string | Buffer): NodeIdentity {
  const certificate = new X509Certificate(certificatePem);
  const names = (certificate.subjectAltName ?? "").split(", ");
  const name = names.find((candidate) => candidate.startsWith(SCHEME));
  if (name === undefined) {
    throw new Error(
      `the certificate names no node: its subjectAltName has no ${SCHEME}<id> (it has: ${names.join(", ")})`,
    );
  }
  return {
    nodeId: name.slice(SCHEME.length),
    validFrom: new Date(certificate.validFrom),
    validTo: new Date(certificate.validTo),
  };
}

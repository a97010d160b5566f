/** What a machine sends for a certificate, and whether what comes back is that certificate. */
import { createPublicKey, type KeyObject, X509Certificate } from "node:crypto";
import { makeSigningRequest } from "@elastic/std/x509/signing-request.ts";
import { readNodeIdentity } from "./node-identity.ts";

export function requestFor(nodeName: string, key: KeyObject): Buffer {
  return makeSigningRequest(nodeName, createPublicKey(key), key);
}

/** Throws where the coordinator returned something else than was requested. */
export function checkAnswer(certificatePem: string, nodeName: string, key: KeyObject): void {
  const { nodeId } = readNodeIdentity(certificatePem);
  if (nodeId !== nodeName) throw new Error(`the coordinator gave a certificate of node ${nodeId}, not of ${nodeName}`);
  if (!new X509Certificate(certificatePem).checkPrivateKey(key)) {
    throw new Error("the coordinator gave a certificate that is not for this machine's key");
  }
}

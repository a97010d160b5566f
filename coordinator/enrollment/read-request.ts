/** The request for a certificate that a machine sends, which must be for the node that it may be. */
import { createHash } from "node:crypto";
import { readSigningRequest, type SigningRequest, SigningRequestError } from "@elastic/std/x509/signing-request.ts";
import { EnrollmentRefusal } from "./enrollment-refusal.ts";

export function readRequestFor(nodeName: string, csr: Buffer): SigningRequest {
  const request = read(csr);
  if (request.name === nodeName) return request;
  const named = JSON.stringify(request.name.slice(0, 64));
  throw new EnrollmentRefusal("invalid", `the request for a certificate names ${named}, not node ${nodeName}`);
}

export function digestOfKey({ publicKeyDer }: SigningRequest): string {
  return createHash("sha256").update(publicKeyDer).digest("hex");
}

function read(csr: Buffer): SigningRequest {
  try {
    return readSigningRequest(csr);
  } catch (error) {
    if (!(error instanceof SigningRequestError)) throw error;
    throw new EnrollmentRefusal("invalid", `the request for a certificate ${error.message}`);
  }
}

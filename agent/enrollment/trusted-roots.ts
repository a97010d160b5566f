/** By which roots this machine knows the coordinators; two while the authority's root changes. */
import { createHash, X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** Throws where the file has none. */
export function readRoots(caFile: string): readonly X509Certificate[] {
  const text = readFileSync(caFile, "utf8");
  return (text.match(CERTIFICATE) ?? [text]).map((pem) => new X509Certificate(pem));
}

/** Digests of the certificates in DER, lower-case hexadecimal, in the order of the file. */
export function trustedRoots(caFile: string): string[] {
  return readRoots(caFile).map(({ raw }) => createHash("sha256").update(raw).digest("hex"));
}

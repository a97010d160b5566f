/** By which roots this machine knows the coordinators; two while the authority's root changes. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { TlsFiles } from "../domain/tls-files.ts";

const CERTIFICATE = /-----BEGIN CERTIFICATE-----([^-]+)-----END CERTIFICATE-----/g;

/** Digests of the certificates in DER, lower-case hexadecimal, in the order of the file. */
export function trustedRoots({ caFile }: Pick<TlsFiles, "caFile">): string[] {
  const certificates = readFileSync(caFile, "utf8").matchAll(CERTIFICATE);
  return [...certificates].map(([, body = ""]) => {
    const der = Buffer.from(body, "base64");
    return createHash("sha256").update(der).digest("hex");
  });
}

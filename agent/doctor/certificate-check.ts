/** Checks the node's certificate, and by it the clock. */
import { createPrivateKey, X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import type { TlsFiles } from "../link/channel.ts";
import { readNodeIdentity } from "../node-identity.ts";
import { type Check, fail, ok, warn } from "./check.ts";

const HOUR_MS = 3_600_000;
/** Less life than this is about to become trouble. */
const LIFE_MS_MIN = 6 * HOUR_MS;

export function checkCertificate({ caFile, certFile, keyFile }: TlsFiles, now: Date): Check {
  try {
    const pem = readFileSync(certFile);
    const { nodeId, validFrom, validTo } = readNodeIdentity(pem);
    const certificate = new X509Certificate(pem);
    if (!certificate.checkPrivateKey(createPrivateKey(readFileSync(keyFile)))) {
      return fail(
        "certificate",
        "the key does not belong to it",
        "set ELASTIC_TLS_KEY to the key the certificate was made for",
      );
    }
    if (!certificate.verify(new X509Certificate(readFileSync(caFile)).publicKey)) {
      return fail("certificate", "it is not signed by ELASTIC_TLS_CA", "use the CA that the coordinators use");
    }
    if (now < validFrom) {
      return fail(
        "certificate",
        `it is valid from ${validFrom.toISOString()}, which is not yet`,
        "set this machine's clock",
      );
    }
    const hours = Math.floor((validTo.getTime() - now.getTime()) / HOUR_MS);
    if (now > validTo)
      return fail("certificate", `it ended on ${validTo.toISOString()}`, "get a new one, or set this machine's clock");
    const finding = `node ${nodeId}, for another ${hours} h`;
    if (validTo.getTime() - now.getTime() < LIFE_MS_MIN) return warn("certificate", finding, "renew it soon");
    return ok("certificate", finding);
  } catch (error) {
    return fail("certificate", (error as Error).message, "check ELASTIC_TLS_CA, ELASTIC_TLS_CERT and ELASTIC_TLS_KEY");
  }
}

/** Checks the node's certificate, and by it the clock. */
import { createPrivateKey, X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { type Check, fail, ok, warn } from "@elastic/std/check.ts";
import type { TlsFiles } from "../domain/tls-files.ts";
import { readNodeIdentity } from "../enrollment/node-identity.ts";
import { readRoots } from "../enrollment/trusted-roots.ts";

const HOUR_MS = 3_600_000;
/** Less life than this is about to become trouble. */
const LIFE_MS_MIN = 6 * HOUR_MS;
/** A certificate of the enrollment is renewed while a third of its life is left: less than this and it was not. */
const LIFE_LEFT_MIN = 0.25;

/** `isEnrolled`: it is of this machine's enrollment, and its agent renews it. */
export function checkCertificate({ caFile, certFile, keyFile }: TlsFiles, isEnrolled: boolean, now: Date): Check {
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
    if (!readRoots(caFile).some(({ publicKey }) => certificate.verify(publicKey))) {
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
    if (now > validTo) {
      const renewal = isEnrolled ? reEnroll(nodeId) : "get a new one";
      return fail("certificate", `it ended on ${validTo.toISOString()}`, `${renewal}, or set this machine's clock`);
    }
    const finding = `node ${nodeId}, for another ${hours} h`;
    const leftMs = validTo.getTime() - now.getTime();
    if (isEnrolled) {
      if (leftMs / (validTo.getTime() - validFrom.getTime()) >= LIFE_LEFT_MIN) return ok("certificate", finding);
      const remedy = `its agent should have renewed it: start it, or see its log; once it has ended, ${reEnroll(nodeId)}`;
      return warn("certificate", finding, remedy);
    }
    return leftMs < LIFE_MS_MIN ? warn("certificate", finding, "renew it soon") : ok("certificate", finding);
  } catch (error) {
    const remedy = isEnrolled
      ? "re-enroll this machine: the files of its enrollment are damaged"
      : "check ELASTIC_TLS_CA, ELASTIC_TLS_CERT and ELASTIC_TLS_KEY";
    return fail("certificate", (error as Error).message, remedy);
  }
}

function reEnroll(nodeId: string): string {
  return `make a token (elastic-coordinator token create --node ${nodeId}) and paste its line here`;
}

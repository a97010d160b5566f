/** Checks how long certificates are still valid. */
import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { type Check, fail, ok, warn } from "@elastic/std/check.ts";

const DAY_MS = 86_400_000;
/** Less life than this is about to become trouble. */
const LIFE_MS_MIN = 7 * DAY_MS;

/** `file` is null where the setting is left out. */
export function checkCertificateFile(setting: string, file: string | null, nowMs: number): readonly Check[] {
  if (file === null) return [];
  try {
    return [checkEnd(setting, new X509Certificate(readFileSync(file)).validToDate, nowMs)];
  } catch (error) {
    return [fail("certificate", `${setting}: ${(error as Error).message}`, "name a file with a certificate in PEM")];
  }
}

/** `der` is the certificate of the nodes' authority, in base64. */
export function checkAuthority(der: string, nowMs: number): Check {
  const { validToDate } = new X509Certificate(Buffer.from(der, "base64"));
  const check = checkEnd("the authority of the nodes", validToDate, nowMs);
  return check.remedy === "" ? check : { ...check, remedy: "replace it: elastic-coordinator authority stage" };
}

export function checkEnd(what: string, ends: Date, nowMs: number): Check {
  const leftMs = ends.getTime() - nowMs;
  if (leftMs <= 0) return fail("certificate", `${what}: ended on ${ends.toISOString()}`, "renew it");
  const finding = `${what}: for another ${Math.floor(leftMs / DAY_MS)} days`;
  return leftMs < LIFE_MS_MIN ? warn("certificate", finding, "renew it soon") : ok("certificate", finding);
}

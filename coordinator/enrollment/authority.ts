/**
 * The authority that nodes' certificates come from, and the coordinators' own towards them. It is made once, by the
 * first coordinator; its key is in the store, sealed, so that whoever has the store alone can issue nothing.
 */
import { createHash, createPrivateKey, generateKeyPairSync, X509Certificate } from "node:crypto";
import type { Clock } from "@elastic/std/clock.ts";
import { certify, IS_AUTHORITY, type Issuer, SIGNS_CERTIFICATES } from "@elastic/std/x509/certify.ts";
import { pem } from "@elastic/std/x509/pem.ts";
import type { Secrets } from "../secrets/secrets.ts";
import { type AuthorityRecord, claimAuthority, readAuthorityRecord } from "../store/authority-claim.ts";
import type { Kv } from "../store/kv.ts";

/** Longer than installations live: to change it is to enroll every machine again. */
const YEARS = 20;
const DAY_MS = 86_400_000;

export interface Authority {
  readonly issuer: Issuer;
  readonly pem: string;
  /** Of its certificate in DER, lower-case hexadecimal: what agents trust. */
  readonly sha256: string;
  readonly validFrom: number;
  readonly validTo: number;
}

export async function openAuthority(
  kv: Pick<Kv, "txn" | "read">,
  secrets: Pick<Secrets, "seal" | "open">,
  clock: Clock,
): Promise<Authority> {
  const record = (await readAuthorityRecord(kv)) ?? (await claimAuthority(kv, makeAuthority(secrets, clock.now())));
  const der = Buffer.from(record.certificate, "base64");
  const key = secrets.open(record.sealedKey, contextOf(digestOf(der)));
  const certificate = new X509Certificate(der);
  return {
    issuer: {
      name: certificate.subject.replace(/^CN=/, ""),
      key: createPrivateKey({ key, type: "pkcs8", format: "der" }),
    },
    pem: pem("CERTIFICATE", der),
    sha256: digestOf(der),
    validFrom: Date.parse(certificate.validFrom),
    validTo: Date.parse(certificate.validTo),
  };
}

/** Null before the first coordinator has made it. Needs no key. */
export async function readAuthorityDigest(kv: Pick<Kv, "read">): Promise<string | null> {
  const record = await readAuthorityRecord(kv);
  return record === null ? null : digestOf(Buffer.from(record.certificate, "base64"));
}

function makeAuthority(secrets: Pick<Secrets, "seal">, now: number): AuthorityRecord {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "prime256v1" });
  const point = publicKey.export({ type: "spki", format: "der" });
  const name = `elastic nodes ${digestOf(point).slice(0, 16)}`;
  const validFrom = now - DAY_MS;
  const validTo = now + YEARS * 365 * DAY_MS;
  const extensions = [IS_AUTHORITY, SIGNS_CERTIFICATES];
  const certificate = certify({ name, publicKey, validFrom, validTo, extensions }, { name, key: privateKey });
  const key = privateKey.export({ type: "pkcs8", format: "der" });
  return {
    certificate: certificate.toString("base64"),
    sealedKey: secrets.seal(key, contextOf(digestOf(certificate))),
  };
}

/** Bound to the certificate: a key that is stored with another certificate does not open. */
function contextOf(certificateSha256: string): string {
  return `node-authority/${certificateSha256}`;
}

function digestOf(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/**
 * The roots of the nodes' certificates as they are stored, and how one follows another: staged next to the root that
 * issues, promoted in its place, and the earlier one retired. The key of each is sealed, so that whoever has the store
 * alone can issue nothing.
 *
 * While two are trusted, the newer one is also certified by the earlier one. With that certificate in their chain, what
 * the newer root issues to coordinators is accepted by agents that know only the earlier root, however long they were away.
 */
import { createHash, createPrivateKey, generateKeyPairSync, type KeyObject, X509Certificate } from "node:crypto";
import { certify, IS_AUTHORITY, SIGNS_CERTIFICATES } from "@elastic/std/x509/certify.ts";
import type { Secrets } from "../secrets/secrets.ts";
import { type AuthorityRecord, parseAuthority, type RootRecord } from "../store/authority-claim.ts";

const YEARS = 20;
const DAY_MS = 86_400_000;

export interface Root {
  readonly der: Buffer;
  /** Its common name, which names its key. */
  readonly name: string;
  /** Of its certificate in DER, lower-case hexadecimal. */
  readonly sha256: string;
  readonly validFrom: number;
  readonly validTo: number;
}

/** `certificate` is DER in base64. */
export function rootOf(certificate: string): Root {
  const der = Buffer.from(certificate, "base64");
  const { subject, validFrom, validTo } = new X509Certificate(der);
  return {
    der,
    name: subject.replace(/^CN=/, ""),
    sha256: digestOf(der),
    validFrom: Date.parse(validFrom),
    validTo: Date.parse(validTo),
  };
}

export function newRoot(secrets: Pick<Secrets, "seal">, now: number): RootRecord {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "prime256v1" });
  const name = `elastic nodes ${digestOf(publicKey.export({ type: "spki", format: "der" })).slice(0, 16)}`;
  const validity = { validFrom: now - DAY_MS, validTo: now + YEARS * 365 * DAY_MS };
  const extensions = [IS_AUTHORITY, SIGNS_CERTIFICATES];
  const certificate = certify({ name, publicKey, ...validity, extensions }, { name, key: privateKey });
  const key = privateKey.export({ type: "pkcs8", format: "der" });
  const sealedKey = secrets.seal(key, contextOf(digestOf(certificate)));
  return { certificate: certificate.toString("base64"), sealedKey };
}

export function openRootKey(secrets: Pick<Secrets, "open">, { certificate, sealedKey }: RootRecord): KeyObject {
  const key = secrets.open(sealedKey, contextOf(digestOf(Buffer.from(certificate, "base64"))));
  return createPrivateKey({ key, type: "pkcs8", format: "der" });
}

/** A new root next to the one that issues. */
export function staged(record: AuthorityRecord, secrets: Pick<Secrets, "seal" | "open">, now: number): AuthorityRecord {
  const active = rootOf(record.certificate);
  const fresh = newRoot(secrets, now);
  const { name, validFrom, validTo } = rootOf(fresh.certificate);
  const crossCertificate = certify(
    {
      name,
      publicKey: new X509Certificate(Buffer.from(fresh.certificate, "base64")).publicKey,
      validFrom: Math.max(validFrom, active.validFrom),
      validTo: Math.min(validTo, active.validTo),
      extensions: [IS_AUTHORITY, SIGNS_CERTIFICATES],
    },
    { name: active.name, key: openRootKey(secrets, record) },
  ).toString("base64");
  return { ...record, next: { ...fresh, crossCertificate, stagedAt: now } };
}

/** The staged root issues; the key of the one before is no longer stored. */
export function promoted(record: AuthorityRecord, now: number): AuthorityRecord {
  const { next, certificate } = record;
  if (next === undefined) return record;
  const previous = { certificate, crossCertificate: next.crossCertificate, promotedAt: now };
  return { certificate: next.certificate, sealedKey: next.sealedKey, previous };
}

/** Only the root that issues is trusted. */
export function retired({ certificate, sealedKey }: AuthorityRecord): AuthorityRecord {
  return { certificate, sealedKey };
}

/** The stored value with each sealed key turned into another envelope. */
export function sealedKeysOf(value: Buffer, turn: (sealed: string, context: string) => string): Buffer {
  const record = parseAuthority(value);
  const turned = <R extends RootRecord>(root: R): R => ({
    ...root,
    sealedKey: turn(root.sealedKey, contextOf(digestOf(Buffer.from(root.certificate, "base64")))),
  });
  const { next } = record;
  return Buffer.from(JSON.stringify({ ...turned(record), ...(next === undefined ? {} : { next: turned(next) }) }));
}

/** Bound to the certificate: a key that is stored with another certificate does not open. */
function contextOf(certificateSha256: string): string {
  return `node-authority/${certificateSha256}`;
}

function digestOf(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}

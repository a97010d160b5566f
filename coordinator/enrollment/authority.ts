/**
 * The authority that nodes' certificates come from, and the coordinators' own towards them, as it is at present. It is
 * made once, by the first coordinator (authority-record.ts).
 */
import { createHash } from "node:crypto";
import type { Clock } from "@elastic/std/clock.ts";
import type { Issuer } from "@elastic/std/x509/certify.ts";
import { pem } from "@elastic/std/x509/pem.ts";
import type { Secrets } from "../secrets/secrets.ts";
import { type AuthorityRecord, claimAuthority, readAuthorityRecord } from "../store/authority-claim.ts";
import type { Kv } from "../store/kv.ts";
import { newRoot, openRootKey, rootOf } from "./authority-record.ts";

export interface Authority {
  readonly issuer: Issuer;
  /** Of the root that issues. */
  readonly sha256: string;
  readonly validFrom: number;
  readonly validTo: number;
  /** Every root whose certificates are accepted, the one that issues first. */
  readonly trusted: {
    /** One certificate after the other. */
    readonly pem: string;
    readonly sha256: readonly string[];
    readonly names: readonly string[];
  };
  /**
   * What follows a coordinator's certificate, in PEM: up to the root by whose digest machines find it, which is the earlier
   * one until that is retired.
   */
  readonly chainPem: string;
}

/** Lower-case hexadecimal, of SHA-256. */
export interface AuthorityDigests {
  /** Of the certificate in DER, by which an agent finds it in what a coordinator shows. */
  readonly certificate: string;
  /** Of the file in PEM that a bare machine downloads, which has nothing else. */
  readonly file: string;
}

/** The authority as it is at present. */
export interface AuthoritySource {
  current(): Authority;
}

export async function readOrCreateAuthority(
  kv: Pick<Kv, "txn" | "read">,
  secrets: Pick<Secrets, "seal">,
  clock: Clock,
): Promise<AuthorityRecord> {
  return (await readAuthorityRecord(kv)) ?? (await claimAuthority(kv, newRoot(secrets, clock.now())));
}

export function openAuthority(record: AuthorityRecord, secrets: Pick<Secrets, "open">): Authority {
  const { previous } = record;
  const active = rootOf(record.certificate);
  const others = [record.next, previous].flatMap((root) => (root === undefined ? [] : [rootOf(root.certificate)]));
  const trusted = [active, ...others];
  const chain =
    previous === undefined
      ? [active.der]
      : [previous.crossCertificate, previous.certificate].map((der) => Buffer.from(der, "base64"));
  return {
    issuer: { name: active.name, key: openRootKey(secrets, record) },
    sha256: active.sha256,
    validFrom: active.validFrom,
    validTo: active.validTo,
    trusted: {
      pem: pemOf(trusted.map(({ der }) => der)),
      sha256: trusted.map(({ sha256 }) => sha256),
      names: trusted.map(({ name }) => name),
    },
    chainPem: pemOf(chain),
  };
}

/**
 * What join lines name; null before the first coordinator has made it. The earlier root until it is retired, so that
 * all lines of that time work for as long. Needs no key.
 */
export async function readAuthorityDigests(kv: Pick<Kv, "read">): Promise<AuthorityDigests | null> {
  const record = await readAuthorityRecord(kv);
  if (record === null) return null;
  const { der, sha256 } = rootOf((record.previous ?? record).certificate);
  return {
    certificate: sha256,
    file: createHash("sha256")
      .update(pemOf([der]))
      .digest("hex"),
  };
}

/** In PEM: the root whose digest join lines have, which ends what coordinators show. */
export function rootOfLines({ chainPem }: Pick<Authority, "chainPem">): string {
  return chainPem.slice(chainPem.lastIndexOf("-----BEGIN CERTIFICATE-----"));
}

function pemOf(certificates: readonly Buffer[]): string {
  return certificates.map((der) => pem("CERTIFICATE", der)).join("");
}

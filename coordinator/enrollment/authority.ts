/**
 * The authority that nodes' certificates come from, and the coordinators' own towards them, as it is at present. It is
 * made once, by the first coordinator (authority-record.ts).
 */
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
 * What a join line names; null before the first coordinator has made it. The earlier root until it is retired, so that
 * all lines of that time work for as long. Needs no key.
 */
export async function readAuthorityDigest(kv: Pick<Kv, "read">): Promise<string | null> {
  const record = await readAuthorityRecord(kv);
  return record === null ? null : rootOf((record.previous ?? record).certificate).sha256;
}

function pemOf(certificates: readonly Buffer[]): string {
  return certificates.map((der) => pem("CERTIFICATE", der)).join("");
}
